import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'

export const resendMessage = defineEndpoint({
  name: 'messages.resend',
  method: 'POST',
  path: '/api4/invoice/messages/{id}/resend',
  access: { rule: 'documents.send' },
  input: z.strictObject({
    id: z.uuid(),
    /** Another mail address, or another mobile of a text message; the same one when absent. */
    to: z.string().trim().toLowerCase().max(254, { error: 'fields.tooLong' }).optional(),
  }),
  output: z.object({ messageId: z.string() }),
  summary:
    'Sends a letter or a text message again, to the same address or another one, with what was attached to it',
  errors: [
    'kit.notFound',
    'session.forbidden',
    'messages.stillQueued',
    'messages.tooOld',
    'sms.notMobile',
    'documents.onlyToCustomer',
  ],
})
