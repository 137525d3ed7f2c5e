import { useWords } from '../words/words.tsx'

/** The first stop of the Tab key on every page. */
export function SkipLink({ to = 'content' }: { to?: string }) {
  const t = useWords()
  return (
    <a className="k-skip" href={`#${to}`}>
      {t('kit.page.skip')}
    </a>
  )
}
