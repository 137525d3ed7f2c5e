import { sql } from 'kysely'
import { asCaller, systemCaller, type Ctx } from '#kit/server/context.ts'
import type { Tx } from '#kit/server/data/db.ts'
import { keepSms } from '#kit/server/outside/mail.ts'
import { inTestBusiness } from '#kit/server/outside/testBusiness.ts'
import { decrypt } from '#kit/server/rights/vault.ts'
import { sendBy019, SmsRefused } from './provider019.ts'

/** Where text messages of a business go. */
export interface SmsDoor {
  isSet: boolean
  /**
   * 'kept' where there is no account: the message is a file in the data directory and is not reported as sent.
   */
  send: (to: string, text: string) => Promise<'sent' | 'kept'>
}

/** The provider of the business, or the stand-in that keeps what it is given. */
export async function smsDoor(ctx: Ctx): Promise<SmsDoor> {
  const { rows } = await sql<{
    username: string
    sender: string
    key_sealed: Buffer
  }>`select username, sender, key_sealed from sms_accounts
    where company_id = ${ctx.companyId}`.execute(ctx.tx)
  // What a test business writes stays here, whatever account was set.
  const account = (await inTestBusiness(ctx)) ? undefined : rows[0]
  if (!account)
    return {
      isSet: false,
      send: async (to, text) => {
        keepSms(ctx.app, to, text)
        return 'kept'
      },
    }
  const key = decrypt(ctx.app.secrets.vault, account.key_sealed).toString()
  return {
    isSet: true,
    send: async (to, text) => {
      await sendBy019(
        { url: ctx.app.settings.smsProviderUrl, username: account.username, sender: account.sender, key },
        to,
        text,
      )
      return 'sent'
    },
  }
}

/**
 * Sends the text message of a row of `messages` and writes there what became of it. What may yet succeed is
 * thrown for the worker to try again; a second run sends nothing twice.
 */
export async function deliverSms(ctx: Ctx, messageId: string, isLast: boolean): Promise<void> {
  const { rows } = await sql<{
    recipient: string
    body: string
    state: string
  }>`select recipient, body, state from messages
    where company_id = ${ctx.companyId} and id = ${messageId} for update`.execute(ctx.tx)
  const message = rows[0]
  if (!message || message.state !== 'queued') return
  const { app, companyId } = ctx
  const keep = (tx: Tx, state: string, error: string | null) =>
    sql`update messages set state = ${state}, error = ${error}, sent_at = case
        when ${error === null} then now() end, updated_at = now()
      where company_id = ${companyId} and id = ${messageId}`.execute(tx)
  const judge = (e: unknown): string => {
    if (!(e instanceof SmsRefused) && !isLast) throw e
    return (e as Error).message.slice(0, 500)
  }
  let door: SmsDoor
  try {
    door = await smsDoor(ctx)
  } catch (e) {
    return void (await keep(ctx.tx, 'failed', judge(e)))
  }
  // After the transaction: a slow gateway holds neither a lock nor a connection.
  ctx.afterCommit!(async () => {
    const [state, error] = await door.send(message.recipient, message.body).then(
      (sent) => [sent, null] as const,
      (e: unknown) => ['failed', judge(e)] as const,
    )
    await asCaller(app, systemCaller(companyId), '', ({ tx }) => keep(tx, state, error))
  })
}
