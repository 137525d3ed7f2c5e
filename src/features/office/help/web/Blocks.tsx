import { Fragment } from 'react'
import { Link } from 'react-aria-components/Link'
import type { Block, Span } from '../blocks.ts'

function Spans({ of }: { of: readonly Span[] }) {
  return of.map(({ text, strong, code, href }, n) => {
    const inner = code ? <kbd className="he-code">{text}</kbd> : strong ? <b>{text}</b> : text
    return href ? (
      <Link key={n} href={href}>
        {inner}
      </Link>
    ) : (
      <Fragment key={n}>{inner}</Fragment>
    )
  })
}

/** Text of the help: paragraphs, steps, lists. `level` is the one of its heads. */
export function Blocks({ of, level = 3 }: { of: readonly Block[]; level?: 3 | 4 }) {
  const Head = level === 3 ? 'h3' : 'h4'
  return of.map((block, n) => {
    if (block.kind === 'head')
      return (
        <Head key={n}>
          <Spans of={block.spans} />
        </Head>
      )
    if (block.kind === 'text')
      return (
        <p key={n}>
          <Spans of={block.spans} />
        </p>
      )
    const List = block.ordered ? 'ol' : 'ul'
    return (
      <List key={n}>
        {block.items.map((item, i) => (
          <li key={i}>
            <Spans of={item} />
          </li>
        ))}
      </List>
    )
  })
}
