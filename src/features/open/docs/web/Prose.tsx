import { Fragment, type ReactNode } from 'react'

/** A few paragraphs; text between backticks is code and reads left to right. */
export function Prose({ text }: { text: string }) {
  return (
    <div className="ad-prose">
      {text.split('\n\n').map((paragraph, i) => (
        // The text of a page is fixed.
        // oxlint-disable-next-line react/no-array-index-key
        <p key={i}>{inline(paragraph)}</p>
      ))}
    </div>
  )
}

/** Names of headers, fields and paths inside a sentence. */
export const inline = (text: string): ReactNode =>
  text.split('`').map((part, i) =>
    // oxlint-disable-next-line react/no-array-index-key
    i % 2 ? (
      <code key={i} dir="ltr">
        {part}
      </code>
    ) : (
      <Fragment key={i}>{part}</Fragment>
    ),
  )
