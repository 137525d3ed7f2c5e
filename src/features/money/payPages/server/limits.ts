import type { z } from 'zod'
import { keyCalls } from '#kit/server/keys.ts'
import { mostCompanies } from '#features/base/companies/server/index.ts'
import { moreRoom, plainRoom } from '#features/base/modules/server/index.ts'
import type { pricing } from '../endpoints.ts'

/**
 * What every plan holds: each bound as it stands where it is kept, so that no page promises another. Papers
 * and people are counted by nobody.
 */
export const limits: z.output<typeof pricing.output>['limits'] = {
  documents: null,
  users: null,
  companies: mostCompanies,
  roomBytes: plainRoom,
  moreRoomBytes: moreRoom,
  callsPerMinute: keyCalls.paying,
}
