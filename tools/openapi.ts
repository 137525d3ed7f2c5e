import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentText, provideContract } from '#kit/server/openapi/contract.ts'
import { serveReports } from '#kit/server/described/serveReports.ts'
import { root } from '#kit/server/settings.ts'
import { implementations, letterhead, reports, wingOf } from '../src/features.ts'

// The OpenAPI document of this house without a server, for the person who packs a client: `node tools/run.mjs
// tools/openapi.ts > openapi.json`.
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const all = [...implementations, ...serveReports(reports, letterhead)]
provideContract({ endpoints: all.map(({ endpoint }) => endpoint), version, wingOf })
process.stdout.write(`${await documentText('en')}\n`, () => process.exit(0))
