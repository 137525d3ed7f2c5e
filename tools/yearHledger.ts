import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call } from './bench/server.ts'

/*
 * Of `npm run load-year`: the product's own export as an hledger journal, added up by hledger itself (the
 * Debian package), against expected.json. What no machine has is said and left out.
 */

type Row = Record<string, any>

function isThere(): boolean {
  try {
    execFileSync('hledger', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function journal(url: string, token: string, range: { from: string; to: string }): Promise<Buffer> {
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await call(url, method, path, {
      token,
      body,
      ...(method === 'GET' ? {} : { key: 'hledger-export' }),
    })
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.body.toString().slice(0, 400)}`)
    return answer.body
  }
  const { jobId, fileId } = JSON.parse(
    (await send('POST', '/api4/invoiceexport/made', { kind: 'hledger', ...range })).toString(),
  ) as Row
  for (;;) {
    const job = JSON.parse((await send('GET', `/api4/invoice/jobs/${jobId}`)).toString()) as Row
    if (job.state === 'done') break
    if (job.state !== 'waiting' && job.state !== 'running')
      throw new Error(`the export ended badly: ${JSON.stringify(job.error)}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return send('GET', `/api4/invoiceexport/made/${fileId}/bytes`)
}

/** '1100 Customers:1100-000001 Cohen' is below account 1100. */
const numberOf = (account: string): string => account.split(/[ :]/, 1)[0]!

/** Answers how many balances differ; they are printed. */
export async function hledgerAgrees(
  url: string,
  token: string,
  range: { from: string; to: string },
  expected: Row,
): Promise<number> {
  if (!isThere()) {
    console.log('hledger is not installed: its balances are left out')
    return 0
  }
  const folder = mkdtempSync(join(tmpdir(), 'pinkas-hledger-'))
  try {
    const file = join(folder, 'year.journal')
    writeFileSync(file, await journal(url, token, range))
    const hledger = (...of: string[]) =>
      execFileSync('hledger', ['-f', file, ...of], { maxBuffer: 2 ** 28, encoding: 'utf8' })
    hledger('check', '--strict')
    const found = new Map<string, number>()
    for (const line of hledger('balance', '--flat', '--no-total', '-O', 'csv').split('\n').slice(1)) {
      const [, account, balance] = /^"(.*)","(.*)"$/.exec(line) ?? []
      if (!account || balance === undefined) continue
      const sum = Math.round(Number(balance.replace(/[^\d.-]/g, '')) * 100)
      found.set(numberOf(account), (found.get(numberOf(account)) ?? 0) + sum)
    }
    let different = 0
    const numbers = new Set([...Object.keys(expected.trial_balance), ...found.keys()])
    for (const number of numbers) {
      const [want, got] = [Number(expected.trial_balance[number] ?? 0), found.get(number) ?? 0]
      if (want !== got && ++different <= 30)
        console.log(`HLEDGER DIFFERS account ${number}: expected ${want}, hledger ${got}`)
    }
    console.log(`hledger: ${numbers.size} balances compared, ${different} differ`)
    return different
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
