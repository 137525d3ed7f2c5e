import { z } from 'zod'

/**
 * How a business shows itself on the pages that open by a key: who it is, how it is reached, its colour; the
 * logo comes by a call.
 */
export const faceFields = {
  business: z.object({ name: z.string(), taxId: z.string(), phone: z.string(), email: z.string() }),
  accent: z.string(),
  hasLogo: z.boolean(),
}
