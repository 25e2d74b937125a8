package dev.corral.lab.measure;

import java.util.List;

/** Where the executions of the trending query are counted. */
public interface QueryLog {

    /** All that ended since the measurement began and have been noticed by now. */
    List<QueryRun> runs();
}
