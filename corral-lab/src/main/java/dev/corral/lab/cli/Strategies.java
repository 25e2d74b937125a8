package dev.corral.lab.cli;

import dev.corral.lab.RaceStrategy;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A strategy's name, in any case. */
final class Strategies implements ITypeConverter<RaceStrategy> {

    @Override
    public RaceStrategy convert(String text) {
        return Arrays.stream(RaceStrategy.values())
                .filter(strategy -> strategy.toString().equalsIgnoreCase(text.strip()))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("must be of " + names() + ", got " + text));
    }

    private static String names() {
        return List.of(RaceStrategy.values()).stream()
                .map(RaceStrategy::toString)
                .collect(Collectors.joining(", "));
    }
}
