import type { z } from 'zod'
import { keyCalls } from '#kit/server/http/keys.ts'
import { mostCompanies } from '#features/base/companies/server/index.ts'
import { moreRoom, plainRoom } from '#features/base/modules/server/index.ts'
import type { pricing } from '../endpoints.ts'

/**
 * The limits of every plan: each value is read from where it is enforced, so that no page promises another.
 * Documents and people are unlimited.
 */
export const limits: z.output<typeof pricing.output>['limits'] = {
  documents: null,
  users: null,
  companies: mostCompanies,
  roomBytes: plainRoom,
  moreRoomBytes: moreRoom,
  callsPerMinute: keyCalls.paying,
}
