package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.corral.Codec;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CodecTest {
    record Product(String productName, int price) {}

    @Test
    void jsonOfAClass() throws Exception {
        Codec<Product> codec = JsonCodec.of(Product.class);
        Product bread = new Product("Brot 🥖", 3);
        assertThat(codec.decode(codec.encode(bread))).isEqualTo(bread);
    }

    @Test
    void jsonOfATypeWithArguments() throws Exception {
        Codec<Map<String, List<Product>>> codec = JsonCodec.of(new TypeRef<>() {});
        Map<String, List<Product>> shelf = Map.of("new", List.of(new Product("bread", 3), new Product("milk", 1)));
        assertThat(codec.decode(codec.encode(shelf))).isEqualTo(shelf);
    }

    @Test
    void jsonByTheApplicationsOwnMapper() throws Exception {
        ObjectMapper mapper = JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .build();
        Codec<Product> codec = JsonCodec.of(mapper, new TypeRef<>() {});
        assertThat(text(codec.encode(new Product("bread", 3)))).contains("product_name");
    }

    @Test
    void fieldsOfANewerVersionAreIgnoredAndMissingOnesAreEmpty() throws Exception {
        Codec<Product> codec = JsonCodec.of(Product.class);
        assertThat(codec.decode(bytes("{\"productName\":\"bread\",\"price\":3,\"colour\":\"brown\"}")))
                .isEqualTo(new Product("bread", 3));
        assertThat(codec.decode(bytes("{\"productName\":\"bread\"}"))).isEqualTo(new Product("bread", 0));
    }

    @Test
    void bytesDoNotChooseClasses() throws Exception {
        Codec<Object> codec = JsonCodec.of(Object.class);
        assertThat(codec.decode(bytes("[\"java.util.Date\",0]"))).isEqualTo(List.of("java.util.Date", 0));
        assertThat(codec.decode(bytes("{\"@class\":\"java.util.Date\"}")))
                .isEqualTo(Map.of("@class", "java.util.Date"));
    }

    @Test
    void bytesThatAreSomethingElseAreRefused() {
        Codec<Product> codec = JsonCodec.of(Product.class);
        for (String other : new String[] {"", "{", "[]", "\"text\"", "{\"price\":\"x\"}", "{} {}", "\u0000\u0001"}) {
            assertThatThrownBy(() -> codec.decode(bytes(other))).as(other).isInstanceOf(Exception.class);
        }
    }

    @Test
    void textIsUtf8AndNothingElse() throws Exception {
        assertThat(StringCodec.UTF_8.decode(StringCodec.UTF_8.encode("日本 🥖"))).isEqualTo("日本 🥖");
        assertThatThrownBy(() -> StringCodec.UTF_8.decode(new byte[] {(byte) 0xFF}))
                .isInstanceOf(CharacterCodingException.class);
    }

    @Test
    void bytesStayAsTheyAre() {
        byte[] bytes = {0, -1, 7};
        assertThat(BytesCodec.PLAIN.decode(BytesCodec.PLAIN.encode(bytes))).isEqualTo(bytes);
    }

    @Test
    @SuppressWarnings("rawtypes")
    void aTypeRefWithoutATypeSaysWhatToWrite() {
        assertThatThrownBy(() -> new TypeRef() {})
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("new TypeRef<List<Product>>() {}");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
