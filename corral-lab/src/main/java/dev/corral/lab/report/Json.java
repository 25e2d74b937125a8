package dev.corral.lab.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.corral.lab.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the option {@code --json} asks for. */
final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private Json() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static String text(ObjectNode root) {
        try {
            return MAPPER.writeValueAsString(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e); // a tree of numbers and texts
        }
    }

    static void write(ObjectNode root, Path file) {
        try {
            Files.writeString(file, text(root) + "\n");
        } catch (IOException e) {
            throw new LabException("--json: cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
