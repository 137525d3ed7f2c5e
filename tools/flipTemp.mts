import { readFileSync } from 'node:fs'
import { makeSelfSigned } from '/work/h/sign/src/kit/server/seal/certificates.ts'
import { sealPdf, sealPdfStamped } from '/work/h/sign/src/kit/server/seal/seal.ts'
import { sealsOf } from '/work/h/sign/src/kit/server/seal/verify.ts'
import { stamperAt } from '/work/h/sign/src/kit/server/seal/timeStamp.ts'
import { timeStampAuthority, hasOpenssl } from '/work/h/sign/tests/timeStampAuthority.ts'
const sample = readFileSync('/work/h/sign/tests/papers/samples/classic-2.pdf')
const now = new Date()
const signer = await makeSelfSigned({ organisation: 'x בע״מ', taxId: '512345678', days: 100, from: new Date(now.getTime()-86400000) })
const look = (name: string, bytes: Buffer) => {
  const at = bytes.lastIndexOf('/Contents <') + 11
  const end = bytes.indexOf('>', at)
  const ok = sealsOf(bytes)
  console.log(name, ok.map((s) => [s.isValid, s.after, s.stampedAt]), end - at)
  const missed: string[] = []
  const t = Date.now()
  let n = 0
  for (let i = at; i < end; i++) {
    const was = bytes[i]!
    for (const flip of [1]) {
      bytes[i] = was ^ flip
      n++
      const seals = sealsOf(bytes)
      if (seals.every((s) => s.isValid && s.after !== 'changed')) missed.push(`${(i-at)>>1}:${String.fromCharCode(was)}>${String.fromCharCode(bytes[i]!)}`)
      if (bytes[i] === 0x30) {}
    }
    bytes[i] = was
    if (n > 14000) break
  }
  console.log(n, 'flips', Date.now() - t, 'ms', missed.length, 'missed')
  const der = Buffer.from(bytes.subarray(at, end).toString('latin1'), 'hex')
  console.log(missed.slice(0, 200).join(' '))
  for (const m of [...new Set(missed.map((x) => Number(x.split(':')[0])))].slice(0, 60)) console.log(m, der.subarray(Math.max(0, m - 12), m + 6).toString('hex'))
}
if (!process.argv[2]) look('plain', Buffer.from(sealPdf(plainOf(), signer, { name: 'a', reason: 'b', at: now })))
const tsa = await timeStampAuthority()
if (process.argv[2]) look('stamped', Buffer.from(await sealPdfStamped(plainOf(), signer, { name: 'a', reason: 'b', at: now }, stamperAt(tsa.url, { http: true, local: true } as never))))
await tsa.close()
function plainOf(): Uint8Array { return sample }
