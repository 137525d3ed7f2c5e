<?php
/**
 * What the plug-in says, in the languages that Pinkas speaks.
 *
 * @package Pinkas
 */

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

/** Translations without files to compile; those that WordPress itself has for the plug-in come first. */
final class Pinkas_Words {

	const OF = array(
		'he' => array(
			'Your document %s'                 => 'המסמך שלך: %s',
			'Pinkas document %s was issued.'   => 'מסמך %s הופק בפנקס.',
			'Pinkas credit %s was issued.'     => 'זיכוי %s הופק בפנקס.',
			'Credits: %s'                      => 'זיכויים: %s',
			'Waits for a person in Pinkas.'    => 'ממתין לטיפול בפנקס.',
			'Send to Pinkas'                   => 'שליחה לפנקס',
			'You may not do this.'             => 'אין לך הרשאה לפעולה הזו.',
			'Saved.'                           => 'נשמר.',
			'Connected: Pinkas knows this store and its key may issue.' => 'מחובר: פנקס מכיר את החנות, והמפתח רשאי להפיק מסמכים.',
			'Not connected: %s'                => 'לא מחובר: %s',
			'The address must begin with https://.' => 'הכתובת צריכה להתחיל ב-https://.',
			'The id of the store is what Pinkas shows under Setting up: 36 letters and digits.' => 'מזהה החנות הוא מה שפנקס מציג במסך החיבור: 36 אותיות וספרות.',
			'Paste the key that was made in Pinkas.' => 'כאן מדביקים את המפתח שנוצר בפנקס.',
			'Address'                          => 'כתובת',
			'Id of the store'                  => 'מזהה החנות',
			'Key'                              => 'מפתח',
			'A key is kept. Leave empty to keep it.' => 'מפתח שמור. כדי להשאיר אותו, השאירו ריק.',
			'Mail'                             => 'דואר',
			'Link the document in the mails of the order' => 'קישור למסמך בהודעות הדואר של ההזמנה',
			'Save'                             => 'שמירה',
			'Log'                              => 'יומן',
			'The address, the key or the id of the store is missing.' => 'חסרים כתובת, מפתח או מזהה חנות.',
		),
		'ar' => array(
			'Your document %s'                 => 'مستندك: %s',
			'Pinkas document %s was issued.'   => 'صدر المستند %s في بنكاس.',
			'Pinkas credit %s was issued.'     => 'صدر الإشعار الدائن %s في بنكاس.',
			'Credits: %s'                      => 'إشعارات دائنة: %s',
			'Waits for a person in Pinkas.'    => 'بانتظار المعالجة في بنكاس.',
			'Send to Pinkas'                   => 'إرسال إلى بنكاس',
			'You may not do this.'             => 'لا تملك صلاحية لهذا الإجراء.',
			'Saved.'                           => 'تم الحفظ.',
			'Connected: Pinkas knows this store and its key may issue.' => 'متصل: بنكاس يعرف المتجر، والمفتاح مخوّل بإصدار المستندات.',
			'Not connected: %s'                => 'غير متصل: %s',
			'The address must begin with https://.' => 'يجب أن يبدأ العنوان بـ https://.',
			'The id of the store is what Pinkas shows under Setting up: 36 letters and digits.' => 'معرّف المتجر هو ما يعرضه بنكاس في شاشة الربط: 36 حرفًا ورقمًا.',
			'Paste the key that was made in Pinkas.' => 'ألصق المفتاح الذي أُنشئ في بنكاس.',
			'Address'                          => 'العنوان',
			'Id of the store'                  => 'معرّف المتجر',
			'Key'                              => 'المفتاح',
			'A key is kept. Leave empty to keep it.' => 'يوجد مفتاح محفوظ. اتركه فارغًا للإبقاء عليه.',
			'Mail'                             => 'البريد',
			'Link the document in the mails of the order' => 'رابط المستند في رسائل الطلب',
			'Save'                             => 'حفظ',
			'Log'                              => 'السجل',
			'The address, the key or the id of the store is missing.' => 'العنوان أو المفتاح أو معرّف المتجر ناقص.',
		),
		'ru' => array(
			'Your document %s'                 => 'Ваш документ: %s',
			'Pinkas document %s was issued.'   => 'В «Пинкас» выписан документ %s.',
			'Pinkas credit %s was issued.'     => 'В «Пинкас» выписан кредитовый документ %s.',
			'Credits: %s'                      => 'Кредитовые документы: %s',
			'Waits for a person in Pinkas.'    => 'Ждёт решения человека в «Пинкас».',
			'Send to Pinkas'                   => 'Отправить в «Пинкас»',
			'You may not do this.'             => 'У вас нет права на это действие.',
			'Saved.'                           => 'Сохранено.',
			'Connected: Pinkas knows this store and its key may issue.' => 'Подключено: «Пинкас» знает этот магазин, ключ вправе выписывать документы.',
			'Not connected: %s'                => 'Не подключено: %s',
			'The address must begin with https://.' => 'Адрес должен начинаться с https://.',
			'The id of the store is what Pinkas shows under Setting up: 36 letters and digits.' => 'Код магазина показан в «Пинкас» на странице подключения: 36 букв и цифр.',
			'Paste the key that was made in Pinkas.' => 'Вставьте ключ, созданный в «Пинкас».',
			'Address'                          => 'Адрес',
			'Id of the store'                  => 'Код магазина',
			'Key'                              => 'Ключ',
			'A key is kept. Leave empty to keep it.' => 'Ключ сохранён. Оставьте поле пустым, чтобы не менять его.',
			'Mail'                             => 'Почта',
			'Link the document in the mails of the order' => 'Ссылка на документ в письмах о заказе',
			'Save'                             => 'Сохранить',
			'Log'                              => 'Журнал',
			'The address, the key or the id of the store is missing.' => 'Не указан адрес, ключ или код магазина.',
		),
		'fr' => array(
			'Your document %s'                 => 'Votre document : %s',
			'Pinkas document %s was issued.'   => 'Le document %s a été émis dans Pinkas.',
			'Pinkas credit %s was issued.'     => 'L’avoir %s a été émis dans Pinkas.',
			'Credits: %s'                      => 'Avoirs : %s',
			'Waits for a person in Pinkas.'    => 'En attente d’un traitement dans Pinkas.',
			'Send to Pinkas'                   => 'Envoyer à Pinkas',
			'You may not do this.'             => 'Vous n’avez pas le droit de faire cela.',
			'Saved.'                           => 'Enregistré.',
			'Connected: Pinkas knows this store and its key may issue.' => 'Connecté : Pinkas connaît cette boutique et sa clé peut émettre.',
			'Not connected: %s'                => 'Non connecté : %s',
			'The address must begin with https://.' => 'L’adresse doit commencer par https://.',
			'The id of the store is what Pinkas shows under Setting up: 36 letters and digits.' => 'L’identifiant de la boutique est affiché par Pinkas sur la page de connexion : 36 lettres et chiffres.',
			'Paste the key that was made in Pinkas.' => 'Collez la clé créée dans Pinkas.',
			'Address'                          => 'Adresse',
			'Id of the store'                  => 'Identifiant de la boutique',
			'Key'                              => 'Clé',
			'A key is kept. Leave empty to keep it.' => 'Une clé est enregistrée. Laissez vide pour la conserver.',
			'Mail'                             => 'E-mail',
			'Link the document in the mails of the order' => 'Lien vers le document dans les e-mails de la commande',
			'Save'                             => 'Enregistrer',
			'Log'                              => 'Journal',
			'The address, the key or the id of the store is missing.' => 'Il manque l’adresse, la clé ou l’identifiant de la boutique.',
		),
	);

	public static function hook() {
		add_filter( 'gettext_pinkas-for-woocommerce', array( __CLASS__, 'say' ), 10, 2 );
	}

	/**
	 * A text in the language of whoever reads it.
	 *
	 * @param string $translated What WordPress found; the text itself where it found nothing.
	 * @param string $text       The text in English.
	 * @return string
	 */
	public static function say( $translated, $text ) {
		if ( $translated !== $text ) {
			return $translated;
		}
		$language = substr( determine_locale(), 0, 2 );
		return isset( self::OF[ $language ][ $text ] ) ? self::OF[ $language ][ $text ] : $text;
	}
}
