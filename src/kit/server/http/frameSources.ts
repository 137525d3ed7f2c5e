import type { App } from '../context.ts'

type Sources = (app: App) => readonly string[]
const known: Sources[] = []

/** A feature shows pages of others in a frame: where they stand, as a content security policy names them. */
export const registerFrameSources = (sources: Sources): void => void known.push(sources)

/** All of them, beside what the application itself makes. */
export const frameSources = (app: App): string =>
  ['blob:', ...new Set(known.flatMap((sources) => [...sources(app)]))].join(' ')
