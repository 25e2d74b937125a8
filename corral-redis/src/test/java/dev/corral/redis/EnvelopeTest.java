package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.spi.Cost;
import dev.corral.spi.Draft;
import dev.corral.spi.Reading;
import dev.corral.spi.Token;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bytes of entries, good and bad. */
class EnvelopeTest {
    private static final byte[] GENERATION = {1, 2, 3, 4, 5, 6, 7, 8};
    private static final Cost COST = new Cost(3, 2, 1);
    private static final Token ID = new Token(7, 8);

    private static byte[] bytes(String payload) {
        Draft draft = new Draft(
                payload == null ? null : payload.getBytes(StandardCharsets.UTF_8),
                Duration.ofSeconds(1),
                Duration.ZERO,
                COST);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {(byte) 0xC0, 1});
        out.writeBytes(Envelope.flags(draft));
        out.write(0);
        out.writeBytes(ByteBuffer.allocate(24)
                .putLong(1_000)
                .putLong(2_000)
                .putLong(3_000)
                .array());
        out.writeBytes(Envelope.costs(COST));
        out.writeBytes(Envelope.id(ID));
        out.writeBytes(GENERATION);
        out.writeBytes(Envelope.payload(draft));
        return out.toByteArray();
    }

    @Test
    void whatTheScriptsPutTogetherIsReadBack() {
        assertThat(Envelope.read(bytes("v"), GENERATION)).isInstanceOfSatisfying(Reading.Found.class, found -> {
            assertThat(found.entry().writtenAt()).isEqualTo(1_000);
            assertThat(found.entry().softExpiry()).isEqualTo(2_000);
            assertThat(found.entry().hardExpiry()).isEqualTo(3_000);
            assertThat(found.entry().cost()).isEqualTo(COST);
            assertThat(found.entry().commitId()).isEqualTo(ID);
            assertThat((byte[]) found.entry().payload()).containsExactly('v');
        });
        assertThat(Envelope.read(bytes(null), GENERATION))
                .isInstanceOfSatisfying(
                        Reading.Found.class,
                        found -> assertThat(found.entry().payload()).isNull());
    }

    @Test
    void anotherGenerationMakesAValueVoid() {
        assertThat(Envelope.read(bytes("v"), null)).isEqualTo(new Reading.Missing());
        assertThat(Envelope.read(bytes("v"), new byte[8])).isEqualTo(new Reading.Missing());
        assertThat(Envelope.read(bytes("v"), new byte[0])).isEqualTo(new Reading.Missing());
        assertThat(Envelope.read(null, GENERATION)).isEqualTo(new Reading.Missing());
    }

    @Test
    void truncatedBytesAreUnreadable() {
        byte[] whole = bytes("v");
        for (int length = 0; length < Envelope.HEAD; length++) {
            assertThat(Envelope.read(Arrays.copyOf(whole, length), GENERATION)).isEqualTo(new Reading.Unreadable());
        }
    }

    @Test
    void noBytesWhatsoeverThrow() {
        Random random = new Random(11);
        for (int i = 0; i < 200_000; i++) {
            byte[] wild = new byte[random.nextInt(200)];
            random.nextBytes(wild);
            if (random.nextBoolean() && wild.length > 1) { // past the first gate
                wild[0] = (byte) 0xC0;
                wild[1] = 1;
                if (wild.length >= Envelope.HEAD && random.nextBoolean()) {
                    System.arraycopy(GENERATION, 0, wild, Envelope.HEAD - 8, 8);
                }
            }
            assertThat(Envelope.read(wild, GENERATION)).isNotNull();
            News.read(wild);
        }
    }

    @Test
    void flippedBitsAreReadOrRefusedButNeverThrow() {
        byte[] whole = bytes("value");
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(Envelope.read(flipped, GENERATION)).isNotNull();
        }
    }
}
