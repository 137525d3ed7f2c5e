/** A call as it would be sent, in the languages people write programs in. */
export interface Sent {
  method: string
  url: string
  /** Without the key. */
  body?: unknown
  /** A key is needed. */
  needsKey: boolean
  /** A repeat gets the first answer. */
  changes: boolean
  /** The body is the bytes of a file. */
  takesFile?: boolean
  key: string
  /** Further headers. */
  headers?: Readonly<Record<string, string>>
}

export const codeLanguages = ['curl', 'JavaScript', 'Python', 'PHP', 'C#'] as const
export type CodeLanguage = (typeof codeLanguages)[number]

/** Another call or another body has another key: the same one would be refused. */
function repeatKeyOf({ method, url, body }: Sent): string {
  let sum = 0
  for (const sign of `${method} ${url} ${JSON.stringify(body) ?? ''}`)
    sum = (sum * 31 + sign.codePointAt(0)!) % 9_000
  return `order-${1_000 + sum}`
}

const headersOf = (sent: Sent): [string, string][] => {
  const { needsKey, key, body, changes, takesFile, headers = {} } = sent
  return [
    ...(needsKey ? [['x-access-token', key] satisfies [string, string]] : []),
    ...(takesFile
      ? [['content-type', 'application/octet-stream'] satisfies [string, string]]
      : body === undefined
        ? []
        : [['content-type', 'application/json'] satisfies [string, string]]),
    ...(changes ? [['Idempotency-Key', repeatKeyOf(sent)] satisfies [string, string]] : []),
    ...Object.entries(headers),
  ]
}

/** Inside single quotes of a shell. */
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const json = (value: unknown, indent = 2): string => JSON.stringify(value, null, indent)
const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)

function python(value: unknown, at = ''): string {
  if (value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  const inner = `${at}    `
  if (Array.isArray(value))
    return value.length ? `[\n${value.map((one) => inner + python(one, inner)).join(',\n')},\n${at}]` : '[]'
  if (typeof value === 'object') {
    const pairs = Object.entries(value as object)
    return pairs.length
      ? `{\n${pairs.map(([k, v]) => `${inner}${JSON.stringify(k)}: ${python(v, inner)}`).join(',\n')},\n${at}}`
      : '{}'
  }
  return JSON.stringify(value)
}

const phpText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
function php(value: unknown, at = ''): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (typeof value === 'string') return phpText(value)
  const inner = `${at}    `
  if (Array.isArray(value))
    return value.length ? `[\n${value.map((one) => inner + php(one, inner)).join(',\n')},\n${at}]` : '[]'
  const pairs = Object.entries(value as object)
  // An empty object is no empty list.
  return pairs.length
    ? `[\n${pairs.map(([k, v]) => `${inner}${phpText(k)} => ${php(v, inner)}`).join(',\n')},\n${at}]`
    : 'new stdClass()'
}

const writers: Record<CodeLanguage, (sent: Sent) => string> = {
  curl: (sent) =>
    [
      `curl ${sent.method === 'GET' ? '' : `-X ${sent.method} `}${shell(sent.url)}`,
      ...headersOf(sent).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
      ...(sent.takesFile
        ? ['--data-binary @file.bin']
        : sent.body === undefined
          ? []
          : [`-d ${shell(json(sent.body))}`]),
    ].join(' \\\n  '),
  JavaScript: (sent) => {
    const headers = Object.fromEntries(headersOf(sent))
    const body = sent.takesFile
      ? 'bytes'
      : sent.body === undefined
        ? undefined
        : `JSON.stringify(${indented(json(sent.body), '  ')})`
    return `const answer = await fetch(${JSON.stringify(sent.url)}, {
  method: ${JSON.stringify(sent.method)},${Object.keys(headers).length ? `\n  headers: ${indented(json(headers), '  ')},` : ''}${body ? `\n  body: ${body},` : ''}
})
if (!answer.ok) throw new Error((await answer.json()).code)
const result = await answer.json()`
  },
  Python: (sent) => {
    const headers = Object.fromEntries(
      headersOf(sent).filter(([name]) => sent.takesFile || name !== 'content-type'),
    )
    const body = sent.takesFile
      ? 'data=open("file.bin", "rb")'
      : sent.body === undefined
        ? undefined
        : `json=${python(sent.body, '    ')}`
    return `import requests

answer = requests.request(
    ${JSON.stringify(sent.method)},
    ${JSON.stringify(sent.url)},${Object.keys(headers).length ? `\n    headers=${python(headers, '    ')},` : ''}${body ? `\n    ${body},` : ''}
    timeout=30,
)
answer.raise_for_status()
result = answer.json()`
  },
  PHP: (sent) => {
    const headers = headersOf(sent).map(([name, value]) => `${name}: ${value}`)
    const body = sent.takesFile
      ? "file_get_contents('file.bin')"
      : sent.body === undefined
        ? undefined
        : `json_encode(${php(sent.body, '    ')})`
    return `$call = curl_init(${phpText(sent.url)});
curl_setopt_array($call, [
    CURLOPT_CUSTOMREQUEST => ${phpText(sent.method)},
    CURLOPT_RETURNTRANSFER => true,${headers.length ? `\n    CURLOPT_HTTPHEADER => ${php(headers, '    ')},` : ''}${body ? `\n    CURLOPT_POSTFIELDS => ${body},` : ''}
]);
$result = json_decode(curl_exec($call), true);
$status = curl_getinfo($call, CURLINFO_HTTP_CODE);`
  },
  'C#': (sent) => {
    const name = sent.method.charAt(0) + sent.method.slice(1).toLowerCase()
    const headers = headersOf(sent).filter(([header]) => header !== 'content-type')
    const quotes = '"""'
    return `using var http = new HttpClient();
using var call = new HttpRequestMessage(HttpMethod.${name}, ${JSON.stringify(sent.url)});
${headers.map(([header, value]) => `call.Headers.Add(${JSON.stringify(header)}, ${JSON.stringify(value)});\n`).join('')}${
      sent.takesFile
        ? 'call.Content = new ByteArrayContent(File.ReadAllBytes("file.bin"));\n'
        : sent.body === undefined
          ? ''
          : `call.Content = new StringContent(${quotes}\n${json(sent.body)}\n${quotes}, Encoding.UTF8, "application/json");\n`
    }var answer = await http.SendAsync(call);
answer.EnsureSuccessStatusCode();
var result = await answer.Content.ReadAsStringAsync();`
  },
}

export const codeFor = (language: CodeLanguage, sent: Sent): string => writers[language](sent)

/** The address of a call with what it takes laid into it. */
export function addressOf(
  base: string,
  path: string,
  inPath: Record<string, unknown>,
  query: Record<string, unknown>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = inPath[name]
    return value === undefined || value === '' ? whole : encodeURIComponent(String(value))
  })
  const pairs = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== '' && value !== null,
  )
  const text = new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return `${base}${filled}${text ? `?${text}` : ''}`
}
