package dev.corral.simulator;

/** Unwinds the thread of a coroutine whose node has crashed. What it runs through on the way out has no effect. */
final class Vanished extends Error {
    private static final long serialVersionUID = 1L;

    Vanished() {
        super("the node has crashed", null, false, false);
    }
}
