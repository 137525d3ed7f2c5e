import { Button } from '../parts/Button.tsx'
import type { Language } from '../words/words.tsx'
import { retryWording } from '../words/wording.ts'
import mark from './mark.svg?raw'

/** The only words in code: they are shown when no others have arrived. */
const said: Record<Language, { waiting: string; failed: string; again: string }> = {
  he: { waiting: 'טוענים…', failed: 'אין תשובה מהשרת. בדקו את החיבור לרשת.', again: 'ניסיון נוסף' },
  en: {
    waiting: 'Loading…',
    failed: 'The server does not answer. Check your connection.',
    again: 'Try again',
  },
  ar: {
    waiting: 'جار التحميل…',
    failed: 'لا يوجد رد من الخادم. افحصوا الاتصال بالشبكة.',
    again: 'محاولة أخرى',
  },
  ru: {
    waiting: 'Загрузка…',
    failed: 'Сервер не отвечает. Проверьте подключение к сети.',
    again: 'Повторить',
  },
  fr: {
    waiting: 'Chargement…',
    failed: 'Le serveur ne répond pas. Vérifiez votre connexion.',
    again: 'Réessayer',
  },
}

/** Shown until the words arrive; no route is shown before. */
export function Loading({
  lang,
  failed,
  onAgain = retryWording,
}: {
  lang: Language
  failed: boolean
  onAgain?: () => void
}) {
  const words = said[lang]
  return (
    <main className="s-loading" data-page="loading">
      <Mark />
      {failed ? (
        <>
          <p role="alert">{words.failed}</p>
          <Button onPress={onAgain}>{words.again}</Button>
        </>
      ) : (
        <p role="status">{words.waiting}</p>
      )}
    </main>
  )
}

/**
 * The mark, its lines writing themselves; still under reduced motion. The page begins with the same one,
 * before there is any code.
 */
export function Mark() {
  return <div className="s-mark" dangerouslySetInnerHTML={{ __html: mark }} />
}
