package dev.corral.simulator.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Nodes of which each is as likely as any other to have the next reader. */
final class Crowd {
    private static final int OUTSIDE = -1;

    private final List<Node> members = new ArrayList<>();
    private int[] positions = new int[0];

    void add(Node process) {
        if (process.place >= positions.length) {
            int before = positions.length;
            positions = Arrays.copyOf(positions, Math.max(16, 2 * (process.place + 1)));
            Arrays.fill(positions, before, positions.length, OUTSIDE);
        }
        if (positions[process.place] == OUTSIDE) {
            positions[process.place] = members.size();
            members.add(process);
        }
    }

    void remove(Node process) {
        if (process.place >= positions.length || positions[process.place] == OUTSIDE) {
            return;
        }
        int hole = positions[process.place];
        positions[process.place] = OUTSIDE;
        Node last = members.remove(members.size() - 1);
        if (last != process) {
            members.set(hole, last);
            positions[last.place] = hole;
        }
    }

    Node any(SplittableRandom random) {
        return members.get(random.nextInt(members.size()));
    }

    int size() {
        return members.size();
    }
}
