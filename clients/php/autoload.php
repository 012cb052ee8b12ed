<?php

// For programs without Composer.
foreach (['api', 'ApiError', 'WriteProposed', 'Retries', 'Feed', 'connect'] as $file) {
    require_once __DIR__ . "/src/{$file}.php";
}
