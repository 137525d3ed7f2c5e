import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createPrivateKey } from 'node:crypto'
import forge from 'node-forge'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closePaper, renderPdf } from '../paper/engine.ts'
import { paperRoot } from '../root.ts'
import { CertificateError, makeSelfSigned, openPkcs12, signerOfPem } from './certificates.ts'
import { readPdf } from './pdfFile.ts'
import { writtenEntries } from './pdfValues.ts'
import { fieldNamed, sealPdf } from './seal.ts'
import { Additions } from './stamp.ts'
import { sealsOf } from './verify.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'seal-'))
const from = new Date('2026-11-01T00:00:00Z')
const at = new Date('2026-11-20T12:32:00Z')
const words = { name: 'אלומת הצפון', reason: 'חשבונית מס 100482', at }
let pdf: Uint8Array
let signer: Awaited<ReturnType<typeof makeSelfSigned>>

beforeAll(async () => {
  pdf = await renderPdf({
    template: path.join(paperRoot, 'report.typ'),
    data: {
      direction: 'rtl',
      language: 'he',
      accent: { shape: '#12695f', text: '#12695f' },
      fileTitle: 'בדיקה',
      author: 'פנקס',
      madeAt: [2026, 11, 20, 14, 32, 0],
      page: { width: 210, height: 297 },
      rowPad: 3.3,
      tableEdge: 0,
      empty: null,
      bodySize: 9,
      title: 'בדיקה',
      subtitle: [],
      running: '',
      business: { name: 'פנקס', lines: [] },
      bands: null,
      columns: [{ label: 'א', kind: 'text', width: 200, gap: 0, quiet: false, pads: [''] }],
      rows: [{ kind: 'row', cells: ['שלום'] }],
      checks: [],
      zebra: false,
      footer: { pieces: ['פנקס'], page: '{page}/{pages}' },
    },
  })
  signer = await makeSelfSigned({ organisation: 'אלומת הצפון בע״מ', taxId: '777777715', days: 3650, from })
})
afterAll(async () => {
  await closePaper()
  rmSync(folder, { recursive: true })
})

function verdict(bytes: Uint8Array): string {
  const file = path.join(folder, 'sealed.pdf')
  writeFileSync(file, bytes)
  return spawnSync('pdfsig', ['-nocert', file], { encoding: 'utf8' }).stdout
}

test('no byte of the envelope a signature lies in can change unseen, though no signature covers it', () => {
  const sealed = Buffer.from(sealPdf(pdf, signer, words))
  const holds = () => sealsOf(sealed).every(({ isValid, after }) => isValid && after !== 'changed')
  expect(holds()).toBe(true)
  const opening = sealed.indexOf('/Contents <') + '/Contents <'.length
  const missed: number[] = []
  // Every digit of the head, where versions and algorithms stand, and some of all others.
  for (let at = opening; at < sealed.indexOf('>', opening); at += at < opening + 140 ? 1 : 13) {
    const was = sealed[at]!
    sealed[at] = was ^ 1
    if (holds()) missed.push(at - opening)
    sealed[at] = was
  }
  expect(missed).toEqual([])
})

describe('a file that cannot be extended', () => {
  const latin = () => Buffer.from(pdf).toString('latin1')
  test.each<[string, (text: string) => string]>([
    ['no readable trailer', (text) => text.replaceAll('/Root ', '/Toor ')],
    ['no readable trailer', (text) => text.replaceAll('/Size ', '/Ezis ')],
    ['no plain table', (text) => text.replace(/(startxref\s+)\d/, '$19')],
    ['no plain table', (text) => text.replace(/startxref/, 'startxxxx')],
    ['does not end', (text) => text.replace(/trailer[^]*$/, (all) => all.replaceAll('>>', '  '))],
    ['is not where it should be', (text) => text.replaceAll(/\/Pages (?=\d+ 0 R)/g, '/Segap ')],
    ['no pages', (text) => text.replaceAll('/Kids', '/Sdik')],
  ])('is refused: %s', (said, damage) => {
    const damaged = Buffer.from(damage(latin()), 'latin1')
    // As long as it was, so that every object is where the table says.
    expect([damaged.length, damaged.equals(Buffer.from(pdf))]).toEqual([pdf.length, false])
    expect(() => sealPdf(damaged, signer, words)).toThrow(said)
  })
})

describe('what comes after a seal', () => {
  const after = (bytes: Uint8Array) => sealsOf(Buffer.from(bytes)).map((seal) => [seal.isValid, seal.after])
  /** The sealed file with one object written again at its end. */
  const changed = (bytes: Uint8Array, number: number, change: (entries: Map<string, string>) => void) => {
    const into = new Additions(readPdf(Buffer.from(bytes)))
    const entries = into.entries(number)
    change(entries)
    into.objects.set(number, writtenEntries(entries))
    return into.written()
  }
  const fieldOf = (bytes: Uint8Array) => fieldNamed(readPdf(Buffer.from(bytes)), 'Seal1')!

  test('a field that waits may be signed, once', () => {
    const into = new Additions(readPdf(Buffer.from(pdf)))
    const field = into.add('/Type /Annot /Subtype /Widget /FT /Sig /T (Waits) /F 132 /Rect [0 0 0 0]')
    const once = sealPdf(pdf, signer, words, { additions: into })
    expect(after(once)).toEqual([[true, 'nothing']])
    const twice = sealPdf(once, signer, { ...words, reason: 'second' }, { field })
    expect(after(twice)).toEqual([
      [true, 'allowed'],
      [true, 'nothing'],
    ])
    const thrice = sealPdf(twice, signer, { ...words, reason: 'third' }, { field })
    expect(after(thrice)).toEqual([
      [true, 'allowed'],
      [true, 'changed'],
      [true, 'nothing'],
    ])
  })

  test('a field that was signed cannot be signed again with another value', () => {
    const once = sealPdf(pdf, signer, words)
    const field = fieldOf(once)
    // The same field, filled with another signature over all that is there: a seal in place of the first.
    const again = sealPdf(once, signer, { ...words, reason: 'second' }, { field })
    expect(after(again)).toEqual([
      [true, 'changed'],
      [true, 'nothing'],
    ])
    // Nor can its signature be taken out, nor replaced by something that is no signature.
    expect(after(changed(once, field, (entries) => entries.delete('V')))).toEqual([[true, 'changed']])
    expect(after(changed(once, field, (entries) => entries.set('V', '1 0 R')))).toEqual([[true, 'changed']])
    // With the same value it is the same field: a date beside it is a filling.
    expect(after(changed(once, field, (entries) => entries.set('M', '(D:20261121)')))).toEqual([
      [true, 'allowed'],
    ])
  })

  test('nothing of the file itself may change: not a field’s name, nor any object that is no field', () => {
    const once = sealPdf(pdf, signer, words)
    expect(after(changed(once, fieldOf(once), (entries) => entries.set('T', '(Other)')))).toEqual([
      [true, 'changed'],
    ])
    const { root } = readPdf(Buffer.from(once))
    expect(after(changed(once, root, (entries) => entries.set('Lang', '(en)')))).toEqual([[true, 'changed']])
  })
})

describe('a sealed file', () => {
  test('is valid and covers the whole document', () => {
    const said = verdict(sealPdf(pdf, signer, words))
    expect(said).toContain('ETSI.CAdES.detached')
    expect(said).toContain('Total document signed')
    expect(said).toContain('Signature is Valid')
  })

  test('shows every changed byte', () => {
    const sealed = sealPdf(pdf, signer, words)
    for (const place of [300, pdf.length - 40, sealed.length - 60]) {
      const changed = Uint8Array.from(sealed)
      changed[place]! ^= 1
      expect(verdict(changed), `byte ${place}`).not.toContain('Signature is Valid')
    }
  })

  test('is a sound PDF', () => {
    const file = path.join(folder, 'checked.pdf')
    writeFileSync(file, sealPdf(pdf, signer, words))
    expect(execFileSync('qpdf', ['--check', file], { encoding: 'utf8' })).toContain(
      'No syntax or stream encoding errors found',
    )
  })

  test('keeps every byte of the unsealed file, its ID and its language', () => {
    const sealed = Buffer.from(sealPdf(pdf, signer, words))
    expect(sealed.subarray(0, pdf.length).equals(Buffer.from(pdf))).toBe(true)
    const added = sealed.toString('latin1', pdf.length)
    const id = /\/ID \[[^\]]+\]/.exec(Buffer.from(pdf).toString('latin1'))![0]
    expect(added).toContain(id)
    expect(added).toContain('/Tabs /S')
    expect(added).toContain('/Lang (he)')
  })

  test('is the same again for the same file, key and moment', () => {
    expect(Buffer.from(sealPdf(pdf, signer, words)).equals(Buffer.from(sealPdf(pdf, signer, words)))).toBe(
      true,
    )
  })

  test('can be sealed a second time without breaking the first', () => {
    const twice = verdict(sealPdf(sealPdf(pdf, signer, words), signer, { ...words, reason: 'second' }))
    expect(twice.match(/Signature is Valid/g)).toHaveLength(2)
  })

  test('needs a certificate valid at the moment', () => {
    expect(() => sealPdf(pdf, signer, { ...words, at: new Date('2040-01-01') })).toThrow('expired')
    expect(() => sealPdf(pdf, signer, { ...words, at: new Date('2020-01-01') })).toThrow('notYetValid')
  })
})

describe('a PKCS#12 file', () => {
  const fault = (act: () => unknown) => {
    try {
      act()
    } catch (error) {
      return error instanceof CertificateError ? error.code : String(error)
    }
    return 'nothing thrown'
  }
  const packed = (password: string, withKey = true) => {
    const certificate = forge.pki.certificateFromPem(signer.certificatePem)
    const key = withKey
      ? forge.pki.privateKeyFromPem(
          createPrivateKey(signer.keyPem).export({ type: 'pkcs1', format: 'pem' }) as string,
        )
      : null
    const asn1 = forge.pkcs12.toPkcs12Asn1(key as forge.pki.rsa.PrivateKey, [certificate], password, {
      algorithm: '3des',
    })
    return new Uint8Array(Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'binary'))
  }

  test('opens with its password', () => {
    const opened = openPkcs12(packed('secret'), 'secret')
    expect(opened.subject).toContain('אלומת הצפון')
    expect(opened.validUntil > opened.validFrom).toBe(true)
    expect(opened.key.asymmetricKeyType).toBe('rsa')
  })

  test('says what is wrong with it', () => {
    expect(fault(() => openPkcs12(packed('secret'), 'other'))).toBe('wrongPassword')
    expect(fault(() => openPkcs12(new Uint8Array([1, 2, 3]), 'x'))).toBe('notPkcs12')
    expect(fault(() => openPkcs12(packed('secret', false), 'secret'))).toBe('noKey')
    expect(fault(() => openPkcs12(packed('secret'), 'secret', new Date('2050-01-01')))).toBe('expired')
  })

  test.each(['אלומת הצפון בע"מ', 'A + B, C <Ltd>', 'O=CN'])(
    'the name people see is the name alone: %s',
    async (organisation) => {
      const made = await makeSelfSigned({ organisation, taxId: '515664423', days: 10, from: at })
      expect([made.subject, made.issuer]).toEqual([organisation, organisation])
    },
  )

  test('what we made ourselves is read back from PEM', () => {
    expect(signerOfPem(signer.keyPem, signer.certificatePem, at).subject).toBe(signer.subject)
    expect(fault(() => signerOfPem('no key', signer.certificatePem))).toBe('noKey')
  })
})
