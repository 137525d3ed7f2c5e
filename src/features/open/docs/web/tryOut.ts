/** What came back of a call that was tried. */
export interface Tried {
  status: number
  ms: number
  text: string
  requestId?: string
}

/** Longer answers are cut: the page is for reading them. */
const mostShown = 40_000

/** Sends a call as a program would, with the test key; no repeats, no session. */
export async function tryCall(
  method: string,
  url: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<Tried> {
  const began = performance.now()
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
    credentials: 'omit',
  })
  const type = answer.headers.get('content-type') ?? ''
  const isText = /json|text|xml|csv/.test(type)
  const bytes = await answer.arrayBuffer()
  const text = isText ? pretty(new TextDecoder().decode(bytes)) : `${type} · ${bytes.byteLength} B`
  const requestId = answer.headers.get('request-id') ?? undefined
  return {
    status: answer.status,
    ms: Math.round(performance.now() - began),
    text: text.length > mostShown ? `${text.slice(0, mostShown)}\n…` : text,
    ...(requestId ? { requestId } : {}),
  }
}

export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/**
 * The register whose records an id of this name stands for; of a plain `id`, the register the call is about.
 */
const registers: Record<string, string> = {
  customerId: 'customers',
  CustomerID: 'customers',
  supplierId: 'suppliers',
  itemId: 'items',
  documentId: 'documents',
  projectId: 'projects',
}
const placeholder = '0199f2a4-7c1e-7b3a-9d52-4f6a8c0e1b27'

/**
 * Puts ids of the test business where the example has none: the first record of the register each
 * stands for. What nobody knows stays, for the reader to fill in.
 */
export async function withRealIds<T>(value: T, tag: string, key: string): Promise<T> {
  const wanted = new Set<string>()
  const names = (one: unknown, name: string): void => {
    if (one === placeholder) wanted.add(registers[name] ?? (name === 'id' ? tag : ''))
    else if (Array.isArray(one)) for (const inner of one) names(inner, name)
    else if (one && typeof one === 'object') for (const [inner, of] of Object.entries(one)) names(of, inner)
  }
  names(value, '')
  wanted.delete('')
  const found = new Map<string, string>()
  await Promise.all(
    [...wanted].map(async (register) => {
      const answer = await fetch(`/api4/invoice/${register}?size=10`, {
        headers: { 'x-access-token': key },
        credentials: 'omit',
      })
      if (!answer.ok) return
      const { rows } = (await answer.json()) as { rows?: { id?: string }[] }
      if (rows?.[0]?.id) found.set(register, rows[0].id)
    }),
  )
  const fill = (one: unknown, name: string): unknown => {
    if (one === placeholder) return found.get(registers[name] ?? (name === 'id' ? tag : '')) ?? one
    if (Array.isArray(one)) return one.map((inner) => fill(inner, name))
    if (one && typeof one === 'object')
      return Object.fromEntries(Object.entries(one).map(([inner, of]) => [inner, fill(of, inner)]))
    return one
  }
  return fill(value, '') as T
}
