/** The headers of a part, in one line each, and what follows them. */
function split(part: string): { head: string; body: string } {
  const end = /\r?\n\r?\n/.exec(part)
  const head = end ? part.slice(0, end.index) : part
  return { head: head.replace(/\r?\n[ \t]+/g, ' '), body: end ? part.slice(end.index + end[0].length) : '' }
}

const decoded = (head: string, body: string): string => {
  if (/^content-transfer-encoding: *base64/im.test(head))
    return Buffer.from(body.replace(/\s/g, ''), 'base64').toString()
  if (!/^content-transfer-encoding: *quoted-printable/im.test(head)) return body
  const bytes = body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** The text part of a kept mail, decoded: what somebody reads of it without HTML. */
export function mailText(eml: string): string {
  const { head, body } = split(eml)
  const boundary = /^content-type: *multipart\/[^;]+;.*?boundary="?([^";\r\n]+)"?/im.exec(head)?.[1]
  if (boundary) {
    for (const part of body.split(`--${boundary}`).slice(1, -1)) {
      const text = mailText(part.replace(/^\r?\n/, ''))
      if (text) return text
    }
    return ''
  }
  if (/^content-disposition: *attachment/im.test(head)) return ''
  return /^content-type:/im.test(head) && !/^content-type: *text\/plain/im.test(head)
    ? ''
    : decoded(head, body)
}
