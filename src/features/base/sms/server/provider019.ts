/** What the provider wants to know of the person who sends. */
export interface Account019 {
  url: string
  username: string
  key: string
  sender: string
}

/** The provider answered and will not take this message: trying again brings the same answer. */
export class SmsRefused extends Error {
  override name = 'SmsRefused'
}

/**
 * Statuses that pass (docs.019sms.co.il, "Errors and statuses"): not at this hour, the process failed, an
 * unknown error, ask the support. All others say what is wrong with the account, the number or the text, and
 * would say it again.
 */
const passing: ReadonlySet<number> = new Set([5, 6, 998, 999])

/**
 * One text message by the HTTP interface of 019 (docs.019sms.co.il, "Send SMS"): JSON with the account's
 * bearer key; the answer's `status` is 0 when the message was taken, and otherwise `message` says why not.
 * The number is an Israeli one, as it is dialled here. The interface answers refusals with HTTP 200.
 */
export async function sendBy019(
  { url, username, key, sender }: Account019,
  to: string,
  text: string,
): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({
      sms: { user: { username }, source: sender, destinations: { phone: [{ _: to }] }, message: text },
    }),
    redirect: 'error',
    signal: AbortSignal.timeout(15_000),
  })
  const said = (await answer.text()).slice(0, 10_000)
  let read: { status?: unknown; message?: unknown } = {}
  try {
    read = JSON.parse(said) as typeof read
  } catch {
    // What is no JSON says nothing we know.
  }
  const status = Number(read.status ?? Number.NaN)
  if (answer.ok && status === 0) return
  const why = typeof read.message === 'string' ? read.message.slice(0, 300) : `HTTP ${answer.status}`
  // Faults of the service itself are temporary too, and so is an answer in an unknown format.
  if (
    answer.status >= 500 ||
    answer.status === 429 ||
    passing.has(status) ||
    (answer.ok && Number.isNaN(status))
  )
    throw new Error(why)
  throw new SmsRefused(Number.isNaN(status) ? why : `${status}: ${why}`)
}
