import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { provideContract, writeDocuments } from '#kit/server/openapi/contract.ts'
import { serveReports } from '#kit/server/described/serveReports.ts'
import { root } from '#kit/server/settings.ts'
import { implementations, letterhead, reports, wingOf } from './features.ts'

/*
 * The last step of a build: writes the OpenAPI documents beside the built server, which then answers them without
 * making them. `node dist/server/describe.js`.
 */
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const all = [...implementations, ...serveReports(reports, letterhead)]
provideContract({ endpoints: all.map(({ endpoint }) => endpoint), version, wingOf })
await writeDocuments(join(root, 'dist/server/openapi'))
process.exit(0)
