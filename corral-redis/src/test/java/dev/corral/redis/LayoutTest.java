package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The layout is a promise to other versions of the application: these bytes must never change. */
class LayoutTest {
    private final Layout layout = new Layout("corral", "trending", 3);

    @Test
    void keysLookLikeTheManualSays() {
        byte[] key = bytes("123456789"); // the check value of CRC-32C is 0xE3069283
        assertThat(Layout.bucket(key)).isEqualTo(0x83);
        assertThat(layout.of(key).value()).isEqualTo(bytes("corral:{trending:131}:v3:123456789"));
        assertThat(layout.of(key).record()).isEqualTo(bytes("corral:{trending:131}:r3:123456789"));
        assertThat(layout.generation(131)).isEqualTo(bytes("corral:{trending:131}:g"));
        assertThat(layout.channel()).isEqualTo(bytes("corral:trending:news"));
    }

    @Test
    void theEmptyKeyHasABucketToo() {
        assertThat(Layout.bucket(new byte[0])).isZero();
        assertThat(layout.of(new byte[0]).value()).isEqualTo(bytes("corral:{trending:0}:v3:"));
    }

    @Test
    void whatAScriptTouchesIsInOneSlotWhateverTheKey() {
        for (String text : new String[] {"", "{a}", "}{", "a{b}c", "{}", "\u0000", "日本"}) {
            byte[] key = bytes(text);
            int slot = SlotHash.getSlot(layout.of(key).value());
            assertThat(SlotHash.getSlot(layout.of(key).record())).isEqualTo(slot);
            assertThat(SlotHash.getSlot(layout.of(key).generation())).isEqualTo(slot);
        }
    }

    @Test
    void keysAndBucketsSpread() {
        Set<Integer> buckets = new HashSet<>();
        Set<Integer> slots = new HashSet<>();
        for (int i = 0; i < 5_000; i++) {
            buckets.add(Layout.bucket(bytes("product:" + i)));
        }
        buckets.forEach(bucket -> slots.add(SlotHash.getSlot(layout.generation(bucket))));
        assertThat(buckets).hasSize(Layout.BUCKETS);
        assertThat(slots).hasSizeGreaterThan(Layout.BUCKETS - 10);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
