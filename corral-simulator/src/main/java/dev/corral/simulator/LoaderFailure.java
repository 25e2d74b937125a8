package dev.corral.simulator;

/** What a loader throws when its query fails. */
final class LoaderFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    /** Known again in the reason that travels with the failure marker. */
    static final String MARK = "the query failed #";

    LoaderFailure(int load) {
        super(MARK + load, null, false, false);
    }
}
