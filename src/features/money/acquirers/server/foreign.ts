/*
 * Input from outside: the address that a payer's browser returns with, and the body of a notice. Anybody can
 * forge both. Each gateway declares the fields it reads; everything else is dropped here, before the gateway's
 * code runs. A value can be compared, used to look up a charge, or handed back to the acquirer as a proof under
 * a declared name. It never replaces a parameter of ours: the wire puts our own parameters last.
 */

/** One declared field. */
export interface ForeignField {
  /** The whole value; anything else is dropped. Bounded in length. */
  like: RegExp
  /** It is handed back to the acquirer, which says whether it is true; under this name, or under its own. */
  proof?: true
  as?: string
}
export type ForeignFields = Readonly<Record<string, ForeignField>>

/** What a gateway reads from outside. */
export interface Reads {
  /**
   * Of what the payer's browser brings back and of a notice that says the same. `key` is the field that
   * echoes our reference: what carries none, or another charge's, is dropped whole. 'nothing' where the
   * acquirer is queried by what we know ourselves.
   */
  returned: { key: string; fields: ForeignFields } | 'nothing'
  /** Of a notice: what names the charge it is about. Fields of nested JSON by their path, with dots. */
  notice: ForeignFields
  /** Of the headers of a notice, where it is signed; read as `header.<name>`. */
  headers?: ForeignFields
  /** The acquirer varies the case of its names: they are declared in lower case. */
  anyCase?: true
  /** The acquirer verifies its own notice: the whole of it goes back, as JSON, under this name. */
  whole?: string
}

/** A gateway, as far as it declares what it reads. */
interface Reading {
  reads: Reads
}

const mostFields = 100
const mostSigns = 65_536
/** Deeper than any known notice. */
const mostDepth = 4

/** Every scalar of a body by its path; a name that comes twice is there twice. */
function pairsOf(text: string): [string, string][] {
  if (text.length > mostSigns) return []
  if (!text.trimStart().startsWith('{')) return [...new URLSearchParams(text)]
  const pairs: [string, string][] = []
  const walk = (value: unknown, path: string, depth: number): void => {
    if (typeof value === 'string') pairs.push([path, value])
    else if (typeof value === 'number' && Number.isFinite(value)) pairs.push([path, String(value)])
    else if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < mostDepth)
      for (const [name, inner] of Object.entries(value))
        walk(inner, path ? `${path}.${name}` : name, depth + 1)
  }
  try {
    walk(JSON.parse(text), '', 0)
  } catch {
    return []
  }
  return pairs
}

/** The declared fields of a body. A name that comes twice says nothing that could be relied on. */
function picked(pairs: readonly [string, string][], fields: ForeignFields, anyCase = false) {
  const found = new Map<string, string>()
  const twice = new Set<string>()
  for (const [given, value] of pairs) {
    const name = anyCase ? given.toLowerCase() : given
    if (!Object.hasOwn(fields, name)) continue
    if (found.has(name)) twice.add(name)
    found.set(name, value)
  }
  return new Map(
    [...found]
      .filter(([name, value]) => !twice.has(name) && fields[name]!.like.test(value))
      .slice(0, mostFields),
  )
}

/** The declared fields of one return or notice. Its values are private, so that they cannot be spread into a call. */
export class Foreign {
  readonly #fields: ForeignFields
  readonly #values: ReadonlyMap<string, string>
  readonly #whole: { name: string; value: unknown } | undefined

  constructor(
    fields: ForeignFields,
    values: ReadonlyMap<string, string>,
    whole?: { name: string; value: unknown },
  ) {
    this.#fields = fields
    this.#values = values
    this.#whole = whole
  }

  get isEmpty(): boolean {
    return this.#values.size === 0
  }

  /** Whether a field is there and says just this. */
  is(name: string, value: string): boolean {
    return this.#values.get(name) === value
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  /**
   * What a field says, to look up a charge of ours by it or to show it; undefined where it is absent. What is
   * a proof says nothing before the acquirer confirmed it.
   */
  says(name: string): string | undefined {
    if (this.#fields[name]?.proof)
      throw new Error(`${name} is a proof, and says nothing before it is confirmed`)
    return this.#values.get(name)
  }

  /** The proofs, once the acquirer confirmed them. */
  confirmed(isConfirmed: boolean): Readonly<Record<string, string>> | undefined {
    if (!isConfirmed) return undefined
    return Object.fromEntries([...this.#values].filter(([name]) => this.#fields[name]!.proof))
  }

  /** The parameters of a call that hands the proofs back: our own fields win over them. */
  under(own: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const proofs = [...this.#values].flatMap(([name, value]) => {
      const field = this.#fields[name]!
      return field.proof && !Object.hasOwn(own, field.as ?? name) ? [[field.as ?? name, value] as const] : []
    })
    const whole = this.#whole && !Object.hasOwn(own, this.#whole.name) ? this.#whole : undefined
    return { ...Object.fromEntries(proofs), ...(whole ? { [whole.name]: whole.value } : {}), ...own }
  }

  /** As it is kept with a charge, to be read again by the same declaration. */
  kept(): string {
    return new URLSearchParams([...this.#values]).toString()
  }

  toJSON(): never {
    throw new Error('what came from outside is no parameter of a call')
  }

  [Symbol.toPrimitive](): never {
    throw new Error('what came from outside is no parameter of a call')
  }
}

export const nothingForeign = new Foreign({}, new Map())

/**
 * What was brought back from the form of a charge, or kept of that; undefined where the gateway reads nothing
 * of it, or where it does not name a reference of this charge.
 */
export function returnedOf(
  { reads: { returned, anyCase } }: Reading,
  text: string,
  ourKeys: readonly string[],
): Foreign | undefined {
  if (returned === 'nothing') return undefined
  const values = picked(pairsOf(text), returned.fields, anyCase)
  return ourKeys.includes(values.get(returned.key) ?? '') ? new Foreign(returned.fields, values) : undefined
}

/** What a notice says, as far as its gateway reads it. */
export function noticeOf(
  { reads }: Reading,
  text: string,
  headers: Readonly<Record<string, string>>,
): Foreign {
  const named = Object.fromEntries(
    Object.entries(reads.headers ?? {}).map(([name, field]) => [`header.${name}`, field]),
  )
  const given = Object.entries(headers).map(([name, value]): [string, string] => [
    `header.${name.toLowerCase()}`,
    String(value),
  ])
  return new Foreign(
    { ...reads.notice, ...named },
    new Map([...picked(pairsOf(text), reads.notice, reads.anyCase), ...picked(given, named)]),
    reads.whole ? { name: reads.whole, value: wholeOf(text) } : undefined,
  )
}

function wholeOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return {}
  }
}

/** Printable text of at most so many signs. */
export const textOf = (most: number): RegExp => new RegExp(`^[^\\p{Cc}]{0,${most}}$`, 'u')
/** A reference or an identifier: letters, digits, hyphens, dots and underscores. */
export const name = /^[\w.-]{1,120}$/
export const digits = /^\d{1,20}$/
export const sum = /^-?\d{1,11}(\.\d{1,4})?$/
