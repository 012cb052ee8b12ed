package namewright;

/** Nothing was changed yet: the write is a proposal, which waits until someone else accepts it. */
public final class WriteProposedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    /** Its path, such as `/api/proposals/prop_…`. */
    public final String location;

    WriteProposedException(String location) {
        super("Nothing was changed yet: " + location + " waits until someone else accepts it");
        this.location = location;
    }
}
