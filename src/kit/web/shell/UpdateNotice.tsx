import { Button } from '../parts/Button.tsx'
import { useWords } from '../words/words.tsx'

/** A new version is here and waits. */
export function UpdateNotice({ take }: { take: () => void }) {
  const t = useWords()
  return (
    <span className="s-notice">
      {t('kit.update.text')}{' '}
      <Button kind="quiet" size="s" onPress={take}>
        {t('kit.update.take')}
      </Button>
    </span>
  )
}
