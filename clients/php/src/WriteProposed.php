<?php

declare(strict_types=1);

namespace Namewright;

/** Nothing was changed yet: the write is a proposal, which waits until someone else accepts it. */
final class WriteProposed extends \RuntimeException
{
    /** `location` is its path, such as `/api/proposals/prop_…`. */
    public function __construct(public readonly string $location)
    {
        parent::__construct("Nothing was changed yet: {$location} waits until someone else accepts it");
    }
}
