import { z } from 'zod'

/** What a call that reads one record takes: the names of what is answered along with it. */
export const recordInput = z.object({ id: z.uuid(), expand: z.string().max(300).optional() })

/** What is answered along with a record or a row. */
export const alongWith = { expanded: z.record(z.string(), z.any()).optional() }
