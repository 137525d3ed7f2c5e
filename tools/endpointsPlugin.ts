import type { Plugin } from 'vite'

/** What of a description only the server and the API pages read, by the function that takes it. */
const ofTheServer: Readonly<Record<string, ReadonlySet<string>>> = {
  defineEndpoint: new Set(['input', 'output', 'summary', 'errors', 'throttle', 'access']),
  defineResource: new Set(['extra']),
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/**
 * A browser calls an endpoint by its name, method and path: schemas and sentences of all endpoints would
 * weigh more than its code.
 */
export function withoutSchemas(code: string, tree: unknown): string {
  const cuts: [from: number, to: number][] = []
  const walk = (node: Node) => {
    const { callee, arguments: given } = node as {
      callee?: { name?: string }
      arguments?: (Node & { properties?: Node[] })[]
    }
    const cut = node.type === 'CallExpression' ? ofTheServer[callee?.name ?? ''] : undefined
    if (cut)
      for (const one of given?.[0]?.properties ?? []) {
        const { name } = (one.key ?? {}) as { name?: string }
        if (one.type !== 'Property' || !name || !cut.has(name)) continue
        const comma = /^\s*,/.exec(code.slice(one.end))
        cuts.push([one.start, one.end + (comma?.[0].length ?? 0)])
      }
    for (const inner of Object.values(node))
      for (const one of Array.isArray(inner) ? inner : [inner])
        if (one && typeof (one as Node).type === 'string') walk(one as Node)
  }
  walk(tree as Node)
  return cuts
    .toSorted((a, b) => b[0] - a[0])
    .reduce((text, [from, to]) => text.slice(0, from) + text.slice(to), code)
}

/**
 * The schemas of values, which nothing is checked by here: each is what every schema is in the browser, and
 * what the real ones stand on stays out.
 */
export function emptied(tree: unknown): string {
  const { body } = tree as {
    body: {
      type: string
      declaration?: { id?: { name: string }; declarations?: { id: { name: string } }[] }
    }[]
  }
  const names = body
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap(({ declaration: made }) => (made?.declarations ?? [made]).map((one) => one!.id!.name))
  return `import { z } from 'zod'\n${names.map((name) => `export const ${name} = z`).join('\n')}`
}

export function endpoints(): Plugin {
  return {
    name: 'endpoints',
    apply: 'build',
    // After the types are gone, which the parser does not read.
    enforce: 'post',
    transform(code, id) {
      if (id.endsWith('/src/kit/fields/schema.ts')) return { code: emptied(this.parse(code)), map: null }
      return /\/src\/.*\.ts$/.test(id) && /define(Endpoint|Resource)\(/.test(code)
        ? { code: withoutSchemas(code, this.parse(code)), map: null }
        : undefined
    },
  }
}
