import { unzipSync } from 'fflate'
import { checkUniform } from '#domain/filings/uniform/check.ts'
import { readUniform, type UniformFile } from '#domain/filings/uniform/read.ts'
import { readRecord } from '#domain/filings/uniform/record.ts'
import { call } from './bench/server.ts'

/*
 * Of `npm run load-year`: the year as a uniform file, read again by our own reader, brought into a new
 * business and exported from there. The two files may differ by nothing but the dealer, the run, and who
 * keyed the journal when.
 */

type Row = Record<string, any>

async function send(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Buffer> {
  const answer = await call(url, method, path, {
    token,
    body,
    ...(method === 'GET' ? {} : { key: `uniform-${Math.random()}` }),
  })
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${answer.body.toString().slice(0, 400)}`)
  return answer.body
}

async function ended(url: string, token: string, jobId: string): Promise<void> {
  for (;;) {
    const job = JSON.parse((await send(url, token, 'GET', `/api4/invoice/jobs/${jobId}`)).toString()) as Row
    if (job.state === 'done') return
    if (job.state === 'failed' || job.state === 'stopped')
      throw new Error(`the work ended badly: ${JSON.stringify(job.error)}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function exported(
  url: string,
  token: string,
  range: { from: string; to: string },
): Promise<{ zip: Buffer; file: UniformFile }> {
  const { jobId, fileId } = JSON.parse(
    (await send(url, token, 'POST', '/api4/invoiceexport/made', { kind: 'uniform', ...range })).toString(),
  ) as Row
  await ended(url, token, String(jobId))
  const zip = await send(url, token, 'GET', `/api4/invoiceexport/made/${fileId}/bytes`)
  const files = unzipSync(zip)
  const ini = Object.entries(files).find(([name]) => name.endsWith('INI.TXT'))![1]
  const data = unzipSync(Object.entries(files).find(([name]) => name.endsWith('.zip'))![1])['BKMVDATA.TXT']!
  return { zip, file: readUniform(data, ini) }
}

/**
 * A record as it must come back, told when it is asked: of a large year the whole would fill the memory
 * twice.
 */
function comparable({ code, text }: UniformFile['records'][number]): string {
  const values: Row = readRecord(code, text)
  for (const name of ['dealerNumber', 'primaryId', ...(code === 'B100' ? ['entryDate', 'operator'] : [])])
    delete values[name]
  return JSON.stringify(values)
}

/** Answers how many differences there are; they are printed. */
export async function uniformThereAndBack(
  url: string,
  token: string,
  range: { from: string; to: string },
  taxId: string,
): Promise<number> {
  const { zip, file } = await exported(url, token, range)
  const faults = [...file.faults.kept, ...checkUniform(file).kept]
  for (const fault of faults.slice(0, 20)) console.log('UNIFORM', JSON.stringify(fault))
  console.log(`uniform file: ${file.records.length} records, ${faults.length} faults`)

  const other = JSON.parse(
    (
      await send(url, '', 'POST', '/api/user/signup', {
        email: 'uniform@example.test',
        password: 'a long enough password',
        fullName: 'Uniform',
        business: { name: 'Uniform', kind: 'company', taxId },
        termsAccepted: true,
      })
    ).toString(),
  ) as Row
  const theirs = String(other.UserKey)
  const answer = await fetch(`${url}/api4/invoice/uniform?name=OPENFRMT.zip`, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      'x-access-token': theirs,
      'idempotency-key': 'uniform-upload',
    },
    body: new Uint8Array(zip),
  })
  if (!answer.ok) {
    const refusal = await answer.text()
    if (answer.status !== 413 && !refusal.includes('uniform.unpacksLarge')) throw new Error(refusal)
    console.log('there and back: left out, because the file is larger than what is brought in at once')
    return faults.length
  }
  const dry = (await answer.json()) as Row
  await ended(url, theirs, String(dry.jobId))
  const running = JSON.parse(
    (
      await send(url, theirs, 'POST', `/api4/invoice/uniform/${dry.id}/run`, { otherDealer: true })
    ).toString(),
  ) as Row
  const started = performance.now()
  await ended(url, theirs, String(running.jobId))
  console.log(`brought into a new business in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  const before = file.records
  const after = (await exported(url, theirs, range)).file.records
  let different = Math.abs(before.length - after.length)
  for (let i = 0; i < Math.min(before.length, after.length); i++) {
    const [line, back] = [comparable(before[i]!), comparable(after[i]!)]
    if (line === back) continue
    if (++different <= 10) console.log(`UNIFORM DIFFERS in record ${i + 1}:\n  ${line}\n  ${back}`)
  }
  console.log(`there and back: ${different} records differ`)
  return faults.length + different
}
