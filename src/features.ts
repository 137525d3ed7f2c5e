import type { Implementation } from './kit/server/implement.ts'
import type { Job, SystemJob } from './kit/server/jobs.ts'
import type { Report } from './kit/server/reports.ts'
import * as session from './features/session/server/index.ts'
import * as ledger from './features/ledger/server/index.ts'
import * as companies from './features/companies/server/index.ts'
import * as parties from './features/parties/server/index.ts'
import * as items from './features/items/server/index.ts'
import * as documents from './features/documents/server/index.ts'
import * as messages from './features/messages/server/index.ts'
import * as vat from './features/vat/server/index.ts'
import * as demo from './features/demo/server/index.ts'

/** What a feature gives the server; every part may be absent. */
interface ServerFeature {
  implementations?: Implementation[]
  reports?: Report[]
  jobs?: Record<string, Job>
  systemJobs?: Record<string, SystemJob>
}

/** The table of contents of the product, lowest first: a feature may use those above it and never those below. */
export const features: Record<string, ServerFeature> = { session, ledger, companies, parties, items, documents, messages, vat, demo }

const each = Object.values(features)
export const implementations = each.flatMap((f) => f.implementations ?? [])
export const reports = each.flatMap((f) => f.reports ?? [])
export const jobs: Record<string, Job> = Object.assign({}, ...each.map((f) => f.jobs ?? {}))
export const systemJobs: Record<string, SystemJob> = Object.assign({}, ...each.map((f) => f.systemJobs ?? {}))

export { letterhead } from './features/companies/server/index.ts'
export { findCaller } from './features/session/server/index.ts'
export { languageFile } from './features/session/server/index.ts'
