import { basename } from 'node:path'

/** The database of a test run in which the demo business lived its year; `dataDir` is the run's folder. */
export const demoDatabase = (dataDir: string): string =>
  `demo_${basename(dataDir)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '_')}`
