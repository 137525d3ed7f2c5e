// The package of the client for TypeScript as people download it from the product: what the build made of its source,
// typed by the API of this very version. The last step of a build.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gzipSync } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const built = join(root, 'dist/server')
const client = join(root, 'clients/typescript')

/** A file of a tar archive (ustar), whole blocks of 512 bytes. */
function entry(name, bytes) {
  const head = Buffer.alloc(512)
  const put = (text, at) => head.write(text, at, 'latin1')
  const octal = (value, digits) => `${value.toString(8).padStart(digits, '0')}\0`
  put(`package/${name}`, 0)
  put(octal(0o644, 7), 100)
  put(octal(0, 7), 108)
  put(octal(0, 7), 116)
  put(octal(bytes.length, 11), 124)
  put(octal(0, 11), 136)
  put('        ', 148)
  put('0', 156)
  put('ustar\x0000', 257)
  put(
    `${octal(
      head.reduce((sum, one) => sum + one, 0),
      6,
    )} `,
    148,
  )
  return Buffer.concat([head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}

/** Types of every call, by the generator that the client itself uses; loose ones where it is not installed. */
function types() {
  const generator = [client, root]
    .map((folder) => join(folder, 'node_modules/openapi-typescript/bin/cli.js'))
    .find((file) => existsSync(file))
  if (!generator) return Buffer.from('export type operations = Record<string, any>\n')
  const described = join(built, 'openapi.json')
  const typed = join(built, 'api.d.ts')
  writeFileSync(described, brotliDecompressSync(readFileSync(join(built, 'openapi/en.keys.json.br'))))
  const { status, stderr } = spawnSync(process.execPath, [generator, described, '-o', typed], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`openapi-typescript: ${stderr}`)
  return readFileSync(typed)
}

const { name, version, description, license, engines } = JSON.parse(
  readFileSync(join(client, 'package.json'), 'utf8'),
)
const manifest = {
  name,
  version,
  description,
  license,
  type: 'module',
  main: './index.js',
  types: './src/index.ts',
  exports: { '.': { types: './src/index.ts', default: './index.js' } },
  engines,
}
const files = {
  'package.json': Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
  'README.md': readFileSync(join(client, 'README.md')),
  'index.js': readFileSync(join(built, 'client.js')),
  'src/index.ts': readFileSync(join(client, 'src/index.ts')),
  'src/api.d.ts': types(),
}
writeFileSync(
  join(built, `${name}.tgz`),
  gzipSync(
    Buffer.concat([...Object.entries(files).map(([file, bytes]) => entry(file, bytes)), Buffer.alloc(1024)]),
    {
      level: 9,
    },
  ),
)
