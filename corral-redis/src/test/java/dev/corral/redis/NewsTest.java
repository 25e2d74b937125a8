package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class NewsTest {
    @Property(tries = 100)
    void readsBackWhatWasWritten(
            @ForAll News.Kind kind,
            @ForAll @IntRange(min = 0, max = 0xFFFF) int version,
            @ForAll long sender,
            @ForAll long event,
            @ForAll byte[] key) {
        News news = News.read(new News(kind, version, sender, event, key).bytes());
        assertThat(news.kind()).isEqualTo(kind);
        assertThat(news.schemaVersion()).isEqualTo(version);
        assertThat(news.sender()).isEqualTo(sender);
        assertThat(news.event()).isEqualTo(event);
        assertThat(news.key()).isEqualTo(key);
    }

    @Test
    void theBytesAreTheManuals() {
        assertThat(new News(News.Kind.INVALIDATED, 0x0102, 0x0304050607080900L, 0x1122334455667788L, new byte[] {'k'})
                        .bytes())
                .isEqualTo(new byte[] {
                    'i', 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, (byte) 0x88, 'k'
                });
    }

    @Property(tries = 500)
    void foreignMessagesAreNoNewsAndNoException(@ForAll byte[] message) {
        News news = News.read(message);
        assertThat(news == null || message.length >= 19).isTrue();
    }
}
