/*
 * Checks our electronic invoices against the official rules of EN 16931, which are no part of this source.
 *
 *   npx tsx tools/checkEinvoices.ts <folder> [<folder of .xml files>]
 *
 * The first folder is a copy of github.com/ConnectingEurope/eInvoicing-EN16931 in which `npm install saxon-js
 * xslt3` was run. Without a second folder two hundred made-up documents are checked in both syntaxes; with
 * one, the files that lie in it. Where xmllint is installed each CII file is held to the schema of its syntax
 * too.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeCii } from '#domain/einvoice/cii.ts'
import { fromDocument } from '#domain/einvoice/fromDocument.ts'
import { sampleDocument } from '#domain/einvoice/samples.ts'
import { writeUbl } from '#domain/einvoice/ubl.ts'

type Syntax = 'ubl' | 'cii'
const howMany = 200

const [folder, files] = process.argv.slice(2)
const rulesOf = (syntax: Syntax) =>
  path.join(folder!, syntax, 'xslt', `EN16931-${syntax.toUpperCase()}-validation.xslt`)
if (!folder || !existsSync(rulesOf('ubl'))) {
  console.log(
    'skipped: the official rules of EN 16931 are not here; tools/checkEinvoices.ts says where they come from',
  )
  process.exit(0)
}
const require = createRequire(path.join(path.resolve(folder), 'package.json'))

/** The rules as the processor wants them; compiled once. */
function compiled(syntax: Syntax): string {
  const target = path.join(folder!, `${syntax.toUpperCase()}.sef.json`)
  if (!existsSync(target))
    execFileSync(process.execPath, [
      require.resolve('xslt3'),
      `-xsl:${rulesOf(syntax)}`,
      `-export:${target}`,
      '-nogo',
      '-ns:##html5',
    ])
  return readFileSync(target, 'utf8')
}

function* samples(): Generator<{ name: string; syntax: Syntax; xml: string }> {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
  for (let seed = 1; seed <= howMany; seed++) {
    const invoice = fromDocument(sampleDocument(seed))
    yield { name: `${seed}.ubl`, syntax: 'ubl', xml: text(writeUbl(invoice)) }
    yield { name: `${seed}.cii`, syntax: 'cii', xml: text(writeCii(invoice)) }
  }
}

function* filesOf(from: string): Generator<{ name: string; syntax: Syntax; xml: string }> {
  for (const name of readdirSync(from).filter((one) => one.endsWith('.xml'))) {
    const xml = readFileSync(path.join(from, name), 'utf8')
    yield { name, syntax: xml.includes('CrossIndustryInvoice') ? 'cii' : 'ubl', xml }
  }
}

interface Processor {
  transform(options: object, mode: 'sync'): { principalResult: string }
}
const saxon = require('saxon-js') as Processor
const rules: Record<Syntax, string> = { ubl: compiled('ubl'), cii: compiled('cii') }
const broken = new Map<string, { count: number; example: string }>()
const checked: Record<Syntax, number> = { ubl: 0, cii: 0 }
const invalid = new Set<string>()
const bySchema = mkdtempSync(path.join(tmpdir(), 'pinkas-cii-'))
for (const { name, syntax, xml } of files ? filesOf(files) : samples()) {
  checked[syntax]++
  if (syntax === 'cii') writeFileSync(path.join(bySchema, name.endsWith('.xml') ? name : `${name}.xml`), xml)
  const { principalResult } = saxon.transform(
    { stylesheetText: rules[syntax], sourceText: xml, destination: 'serialized' },
    'sync',
  )
  for (const found of principalResult.matchAll(/<svrl:failed-assert[\s\S]*?<\/svrl:failed-assert>/g)) {
    const isFatal = found[0].includes('flag="fatal"')
    const text = /<svrl:text>([\s\S]*?)<\/svrl:text>/.exec(found[0])?.[1]?.trim() ?? ''
    const key = `${isFatal ? 'error' : 'warning'} ${syntax} ${text.slice(0, 200)}`
    broken.set(key, { count: (broken.get(key)?.count ?? 0) + 1, example: broken.get(key)?.example ?? name })
    if (isFatal) invalid.add(name)
  }
}
const schema = path.join(
  folder,
  'cii/schema/D16B SCRDM (Subset)/uncoupled clm/CII/uncefact/data/standard/CrossIndustryInvoice_100pD16B.xsd',
)
const held = readdirSync(bySchema)
const { error, stderr } = spawnSync('xmllint', ['--noout', '--schema', schema, ...held], {
  cwd: bySchema,
  encoding: 'utf8',
})
rmSync(bySchema, { recursive: true })
const valid = error ? 0 : stderr.split('\n').filter((line) => line.endsWith(' validates')).length
if (error) console.log('xmllint is not installed: the schema of CII was not asked')
else {
  console.log(`${valid} of ${held.length} CII files are valid by the schema`)
  for (const line of stderr
    .split('\n')
    .filter((one) => one.includes('error'))
    .slice(0, 10))
    console.log(line)
}
for (const [key, { count, example }] of broken) console.log(`${count} × ${key} (${example})`)
console.log(`${checked.ubl} UBL and ${checked.cii} CII checked, ${invalid.size} break a rule`)
process.exitCode = invalid.size || (!error && valid < held.length) ? 1 : 0
