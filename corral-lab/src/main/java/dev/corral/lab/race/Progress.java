package dev.corral.lab.race;

/** Where a race says what it is doing. */
public interface Progress {

    /** Something began or was found out; stays on the screen. */
    void say(String line);

    /** How it stands right now; replaces the last such line where the terminal can do that, else may be left out. */
    void live(String line);
}
