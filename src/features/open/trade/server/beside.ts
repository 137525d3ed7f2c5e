import { typeFacts } from '#domain/documents/facts.ts'
import { israeliMobile } from '#domain/phone.ts'
import { fail, forbidden, Failure, failField, type FieldError } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { asCaller } from '#kit/server/context.ts'
import { getOutside, NotGot } from '#kit/server/outside/getOutside.ts'
import { outsideUrl } from '#kit/server/outside/reach.ts'
import { inTestBusiness } from '#kit/server/outside/testBusiness.ts'
import { attachFile, keepFile } from '#features/base/files/server/index.ts'
import type { tradeCalls } from '../calls.ts'
import type { Read } from '../fields.ts'
import type { Desk } from './desk.ts'

/*
 * What comes beside a document that is issued: its files, its letters, its signature. None of it may take the
 * document back.
 */

type Takes = Read<(typeof tradeCalls)['createDocument']['takes']>

/** The document that everything here is beside. */
interface Paper {
  id: string
  language: string
  customer: { name: string; email: string | null; phone: string | null } | null
}

/**
 * A document is answered within a program's patience: its files together take no longer, and fit the mail
 * they go along with.
 */
const ofFiles = { mostBytes: 3 * 1024 * 1024, milliseconds: 15_000, accept: '*/*' }

/** Refuses, before anything is made, what could not be done beside it afterwards. */
export function refuseBeside(desk: Desk, takes: Takes, isDraft: boolean): void {
  for (const [i, url] of (takes.files ?? []).entries())
    if ('why' in outsideUrl(url, desk.app.settings.webhooks))
      throw failField(`files.${i}`, 'trade.fileAddress')
  if (!takes.sendSign || isDraft) return
  if (!typeFacts(takes.DocumentType).isAgreement) throw failField('sendSign', 'signing.notAgreement')
  if (!can(desk.caller, 'signing.send')) throw forbidden({ rule: 'signing.send' })
  if (desk.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
}

/**
 * Does what was asked beside a document and answers what could not be done; a draft waits for the person who issues
 * it.
 */
export async function doBeside(
  desk: Desk,
  takes: Takes,
  paper: Paper,
  isDraft: boolean,
): Promise<FieldError[]> {
  const notDone: FieldError[] = []
  const trying = async (path: string, deed: () => Promise<unknown>): Promise<void> => {
    try {
      await deed()
    } catch (e) {
      if (e instanceof NotGot)
        notDone.push(
          ...failField(path, e.problem === 'tooLarge' ? 'kit.tooLarge' : 'trade.fileNotGot').errors,
        )
      else if (e instanceof Failure)
        notDone.push(e.errors[0] ? { ...e.errors[0], path } : { path, code: e.code, params: e.params })
      else {
        // The document exists: a program that gets an error would create another.
        desk.app.log.error(
          { document: paper.id, path, err: (e as Error).message },
          'failed beside a document',
        )
        notDone.push({ path, code: 'kit.failed' })
      }
    }
  }
  // Before the letters, which they go along with.
  await Promise.all(
    (takes.files ?? []).map((url, i) => trying(`files.${i}`, () => bring(desk, paper.id, url))),
  )
  if (isDraft) {
    for (const path of ['SendEmail', 'SendSMS', 'sendSign', 'DontCreateIsraelTaxNumber'] as const)
      if (takes[path]) notDone.push(...failField(path, 'trade.ofDraft').errors)
    return notDone
  }
  const { id, customer } = paper
  const at = `/api4/invoice/documents/${id}`
  // To the address on the customer's card; without one nothing is sent, and the document is kept.
  if (takes.SendEmail && customer?.email)
    await trying('SendEmail', () =>
      desk.ask(
        'POST',
        `${at}/send`,
        { to: customer.email, attach: takes.IncludePDF !== false },
        `trade:${id}:mail`,
      ),
    )
  if (takes.SendSMS && customer?.phone)
    await trying('SendSMS', () => desk.ask('POST', `${at}/sms`, { to: customer.phone }, `trade:${id}:sms`))
  if (takes.sendSign) await trying('sendSign', () => askToSign(desk, paper))
  return notDone
}

/**
 * By email or by text message, as the customer can be reached; else the address of the customer's page is answered,
 * to be passed on.
 */
async function askToSign({ ask }: Desk, { id, language, customer }: Paper): Promise<void> {
  const { name = '', email, phone } = customer ?? {}
  const signer = {
    name: name.slice(0, 120),
    language,
    ...(email ? { email } : {}),
    ...(phone ? { phone } : {}),
  }
  const channel = email ? 'mail' : israeliMobile(phone) ? 'sms' : 'person'
  await ask(
    'POST',
    `/api4/invoice/signRequests/document/${id}`,
    { signer: { ...signer, channel } },
    `trade:${id}:sign`,
  )
}

/** Attaches the file at an address to a document, for its customer to see. */
async function bring(desk: Desk, documentId: string, url: string): Promise<void> {
  const inside = <T>(work: Parameters<typeof asCaller<T>>[3]) => asCaller(desk.app, desk.caller, '', work)
  // A business for trying things out asks nobody.
  if (await inside(inTestBusiness)) throw fail('trade.fileInTest')
  const bytes = await getOutside(desk.app.settings.webhooks, url, ofFiles)
  const fileId = await inside(async (ctx) => {
    const { id } = await keepFile(ctx, { name: nameOf(url), bytes })
    await attachFile(ctx, id, 'documents', documentId)
    return id
  })
  await desk.ask('PUT', `/api4/invoice/documents/${documentId}/files/${fileId}`, {
    shown: true,
    mailed: true,
  })
}

/** The last part of its path, as people read it. */
function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last) || 'file'
  } catch {
    return last
  }
}
