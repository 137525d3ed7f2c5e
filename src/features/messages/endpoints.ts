import { z } from 'zod'
import { defineEndpoint } from '../../kit/describe/endpoint.ts'

export const resendMessage = defineEndpoint({
  name: 'messages.resend',
  method: 'POST',
  path: '/api4/invoice/messages/{id}/resend',
  access: { rule: 'documents.send' },
  input: z.strictObject({
    id: z.uuid(),
    /** Another address; the same one when absent. */
    to: z
      .string()
      .trim()
      .toLowerCase()
      .max(254)
      .pipe(z.email({ error: 'fields.email' }))
      .optional(),
  }),
  output: z.object({ messageId: z.string() }),
  summary: 'Sends a letter again, to the same address or another one, with what was attached to it',
  errors: ['kit.notFound', 'messages.stillQueued', 'messages.tooOld'],
})
