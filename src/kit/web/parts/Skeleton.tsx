import { useWords } from '../words/words.tsx'

/** In place of a text or a card that comes; shows itself after 150 ms, so that quick answers do not flash. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  const t = useWords()
  return (
    <div className="k-skeleton relative" role="status">
      <span className="vh">{t('kit.loading')}</span>
      {Array.from({ length: lines }, (_, i) => (
        <span
          key={i}
          className="k-sk"
          style={{ inlineSize: `${i === lines - 1 && lines > 1 ? 45 : 70 + ((i * 37) % 30)}%` }}
        />
      ))}
    </div>
  )
}
