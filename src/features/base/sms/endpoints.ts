import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { phoneValue } from '#kit/fields/schema.ts'

const base = '/api4/invoice/sms'

/** Signs a name may have that the telephone networks show as sender: 2 to 11 Latin letters and digits. */
export const senderPattern = /^[A-Za-z0-9]{2,11}$/

const account = z.object({
  /** Without an account messages are kept and not sent. */
  isSet: z.boolean(),
  username: z.string(),
  sender: z.string(),
})
export type SmsAccount = z.output<typeof account>

export const getSms = defineEndpoint({
  name: 'sms.account',
  method: 'GET',
  path: base,
  access: { rule: 'companies.see' },
  input: z.object({}),
  output: account,
  summary: 'The account of the business with its SMS provider; never its key',
})
export const setSms = defineEndpoint({
  name: 'sms.set',
  method: 'PUT',
  path: base,
  access: { rule: 'companies.change' },
  input: z.strictObject({
    username: z.string().trim().min(1, { error: 'fields.need' }).max(60, { error: 'fields.tooLong' }),
    sender: z.string().trim().regex(senderPattern, { error: 'fields.smsSender' }),
    /** Absent: the one that is known stays. */
    key: z.string().trim().max(2000, { error: 'fields.tooLong' }).optional(),
  }),
  output: account,
  summary: 'Sets the account with the SMS provider; the key is locked away and never shown again',
  errors: ['sms.needKey'],
})
export const dropSms = defineEndpoint({
  name: 'sms.drop',
  method: 'DELETE',
  path: base,
  access: { rule: 'companies.change' },
  input: z.object({}),
  output: account,
  summary: 'Forgets the account with the SMS provider',
})
export const testSms = defineEndpoint({
  name: 'sms.test',
  method: 'POST',
  path: `${base}/test`,
  access: { rule: 'companies.change' },
  throttle: 20,
  input: z.strictObject({ to: phoneValue }),
  output: z.object({ state: z.enum(['sent', 'kept']) }),
  summary: 'Sends a text message to try the account',
  errors: ['sms.notMobile', 'sms.refused'],
})
