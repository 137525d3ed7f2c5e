import type { OutputOf } from '#kit/describe/endpoint.ts'
import type { bankDesk } from '../endpoints.ts'

/** What lies on the desk of a bank account: lines, entries and what is proposed of them. */
export type Desk = OutputOf<typeof bankDesk>
