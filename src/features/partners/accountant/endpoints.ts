import { z } from 'zod'
import { rowAnswer } from '#kit/describe/answers.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { emailValue, languageValue, monthValue, phoneValue } from '#kit/fields/schema.ts'
import { accessKinds, accountants, contentNames } from './accountants.ts'

const base = '/api4/invoice/accountants'
const byId = z.object({ id: z.uuid() })
const answer = rowAnswer(accountants)
const text = (max: number) => z.string().trim().max(max, { error: 'fields.tooLong' })

const facts = z.object({
  office: text(120).optional(),
  phone: z.union([phoneValue, z.literal('')]).optional(),
  language: languageValue.optional(),
  access: z.enum(accessKinds, { error: 'fields.choice' }).optional(),
  mayExpenses: z.boolean().optional(),
  mayPost: z.boolean().optional(),
  /** 1 to 28, a day that every month has; null sends nothing. */
  sendDay: z
    .number()
    .int()
    .min(1, { error: 'fields.range' })
    .max(28, { error: 'fields.range' })
    .nullable()
    .optional(),
  contents: z.array(z.enum(contentNames)).max(contentNames.length).optional(),
})

export const inviteAccountant = defineEndpoint({
  name: 'accountants.invite',
  method: 'POST',
  path: base,
  access: { rule: 'accountant.change' },
  verified: true,
  input: facts
    .extend({
      name: z
        .string({ error: 'fields.need' })
        .trim()
        .min(1, { error: 'fields.need' })
        .max(120, { error: 'fields.tooLong' }),
      email: emailValue,
    })
    .strict(),
  output: answer,
  summary: 'Invites the accountant of the business by mail, with what he sees and his monthly package',
  errors: ['team.alreadyHere', 'team.beyondYours'],
})
export const changeAccountant = defineEndpoint({
  name: 'accountants.change',
  method: 'PATCH',
  path: `${base}/{id}`,
  access: { rule: 'accountant.change' },
  input: facts.extend({ id: z.uuid() }).strict(),
  output: answer,
  summary: 'Changes what an accountant sees, does and gets by mail',
  errors: ['kit.notFound', 'team.beyondYours', 'accountant.gone'],
})
const onAccountant = (verb: string, summary: string, more: string[] = []) =>
  defineEndpoint({
    name: `accountants.${verb}`,
    method: 'POST',
    path: `${base}/{id}/${verb}`,
    access: { rule: 'accountant.change' },
    input: byId,
    output: answer,
    summary,
    errors: ['kit.notFound', 'team.beyondYours', ...more],
  })
export const resendAccountant = onAccountant('resend', 'Sends the invitation again with a new link', [
  'team.notInvited',
])
export const blockAccountant = onAccountant('block', 'Shuts an accountant out and ends his sessions at once')
export const unblockAccountant = onAccountant('unblock', 'Lets a blocked accountant in again')
export const removeAccountant = defineEndpoint({
  name: 'accountants.remove',
  method: 'DELETE',
  path: `${base}/{id}`,
  access: { rule: 'accountant.change' },
  input: byId,
  output: z.object({ done: z.literal(true) }),
  summary: 'Ends the link with an accountant: his way in and his monthly mail',
  errors: ['kit.notFound', 'team.beyondYours'],
})
export const sendPackage = defineEndpoint({
  name: 'accountants.send',
  method: 'POST',
  path: `${base}/{id}/send`,
  access: { rule: 'accountant.change' },
  input: z.strictObject({ id: z.uuid(), month: monthValue }),
  output: z.object({ messageId: z.string() }),
  summary: 'Mails the package of a month now',
  errors: ['kit.notFound', 'accountant.blocked', 'accountant.gone', 'accountant.noMonth', 'team.beyondYours'],
})
