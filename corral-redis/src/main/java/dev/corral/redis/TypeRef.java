package dev.corral.redis;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A type with its arguments, as an anonymous subclass: {@code new TypeRef<List<Product>>() {}}.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T> {
    private final Type type;

    /** Reads the type from the subclass. */
    protected TypeRef() {
        if (!(getClass().getGenericSuperclass() instanceof ParameterizedType self)) {
            throw new IllegalArgumentException(
                    "TypeRef must be given a type, as in new TypeRef<List<Product>>() {}, got " + getClass());
        }
        this.type = self.getActualTypeArguments()[0];
    }

    final Type type() {
        return type;
    }
}
