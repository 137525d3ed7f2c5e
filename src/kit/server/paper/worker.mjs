// The typesetter's process. Plain JavaScript on purpose: it is started from a file, and must start the same
// way under tsx, under vitest and beside a bundled server. It gets finished jobs by message and keeps nothing
// between them but the compiler.
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)
const { fonts, paperRoot } = JSON.parse(process.argv[2])
const { NodeCompiler } = require('@myriaddreamin/typst-ts-node-compiler')

// A workspace that exists only in memory: templates are put in by name, and there is nothing on disk a
// template could read.
const workspace = process.platform === 'win32' ? 'C:\\pinkas-paper' : '/pinkas-paper'
const inWorkspace = (name) => path.join(workspace, name)

const compiler = NodeCompiler.create({
  workspace,
  fontArgs: [{ fontBlobs: fonts.map((file) => readFileSync(file)) }],
})

/**
 * Template folder -> file name -> time of last change, so that an edited template is seen without a restart.
 */
const known = new Map()
const owner = new Map()

function learn(folder) {
  const seen = known.get(folder) ?? new Map()
  known.set(folder, seen)
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.typ')) continue
    const file = path.join(folder, name)
    const changed = statSync(file).mtimeMs
    if (seen.get(name) === changed) continue
    if ((owner.get(name) ?? folder) !== folder)
      throw new Error(`two templates are called ${name}: in ${owner.get(name)} and in ${folder}`)
    owner.set(name, folder)
    compiler.addSource(inWorkspace(name), readFileSync(file, 'utf8'))
    seen.set(name, changed)
  }
}

function complain(error) {
  const found = compiler.fetchDiagnostics(error)
  return (
    found.map((d) => [d.message, ...(d.hints ?? [])].join(' · ')).join('\n') ||
    'the typesetter failed without a word'
  )
}

function compile(template, data) {
  const result = compiler.compile({ mainFilePath: inWorkspace(path.basename(template)), inputs: { data } })
  if (result.hasError()) throw new Error(complain(result.takeError()))
  return result.result
}

function work(job) {
  learn(paperRoot)
  learn(path.dirname(job.template))
  for (const { name, bytes } of job.images) compiler.mapShadow(inWorkspace(name), Buffer.from(bytes))
  try {
    let document = compile(job.template, job.data)
    if (job.longer !== null && document.numOfPages > 1) document = compile(job.template, job.longer)
    if (job.kind === 'svg') return compiler.plainSvg(document)
    return compiler.pdf(document, job.options)
  } finally {
    for (const { name } of job.images) compiler.unmapShadow(inWorkspace(name))
    // Without this the memory of every finished document stays: 2 MB each, measured.
    compiler.evictCache(2)
  }
}

function answer(job) {
  try {
    const output = work(job)
    process.send(
      typeof output === 'string' ? { id: job.id, svg: output } : { id: job.id, pdf: new Uint8Array(output) },
    )
  } catch (error) {
    process.send({ id: job.id, error: error instanceof Error ? error.message : JSON.stringify(error) })
  }
}

// One document in a turn of the event loop: native memory is released only between turns, and a waiting
// crowd of jobs would otherwise be served in one.
const queue = []
// Ctrl+C and a stop reach the whole group: the server ends in order, and this process with it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
process.on('disconnect', () => process.exit())
process.on('message', (job) => {
  queue.push(job)
  if (queue.length === 1) setImmediate(next)
})
function next() {
  answer(queue[0])
  queue.shift()
  if (queue.length > 0) setImmediate(next)
}
