package dev.corral.lab.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/** From numbers to places along a line, even or by powers of ten, and the numbers worth writing beside it. */
record Axis(double least, double most, boolean byPowers) {
    private static final double[] ROUND = {1, 2, 5, 10};
    private static final int PARTS = 4;

    /** From zero to a round number that is not below that. */
    static Axis upTo(double most) {
        double step = step(most <= 0 ? 1 : most);
        return new Axis(0, step * Math.ceil((most <= 0 ? 1 : most) / step - 1e-9), false);
    }

    private static double step(double most) {
        double power = Math.pow(10, Math.floor(Math.log10(most / PARTS)));
        for (double factor : ROUND) {
            if (factor * power * PARTS >= most * 0.999) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    /** From 0 to 1. */
    double place(double number) {
        return byPowers ? Math.log(number / least) / Math.log(most / least) : (number - least) / (most - least);
    }

    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        if (byPowers) {
            for (double tick = least; tick <= most * 1.001; tick *= 10) {
                ticks.add(tick);
            }
        } else {
            double step = step(most - least);
            for (int i = 0; least + i * step <= most * 1.001; i++) {
                ticks.add(least + i * step);
            }
        }
        return ticks;
    }

    /** As it is written beside the axis. */
    static String text(double number) {
        if (number >= 1_000) {
            return Numbers.count(Math.round(number));
        }
        return new BigDecimal(number)
                .round(new MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
    }
}
