<?php
/**
 * The document where people look for it: in the order, in the buyer's account, in the mail.
 *
 * @package Pinkas
 */

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

/** Shows the document of an order. */
final class Pinkas_Display {

	public static function hook() {
		add_action( 'woocommerce_admin_order_data_after_order_details', array( __CLASS__, 'admin' ) );
		add_action( 'woocommerce_order_details_after_order_table', array( __CLASS__, 'buyer' ) );
		add_action( 'woocommerce_email_after_order_table', array( __CLASS__, 'mail' ), 10, 3 );
		add_filter( 'woocommerce_order_actions', array( __CLASS__, 'actions' ) );
		add_action( 'woocommerce_order_action_pinkas_send', array( __CLASS__, 'again' ) );
	}

	/** Number and address of the document, or null. */
	public static function of( $order ) {
		$number = (string) $order->get_meta( Pinkas_Sender::META_NUMBER );
		$url    = (string) $order->get_meta( Pinkas_Sender::META_URL );
		return '' === $number || '' === $url ? null : array( 'number' => $number, 'url' => $url );
	}

	public static function admin( $order ) {
		$document = self::of( $order );
		$trouble  = (string) $order->get_meta( Pinkas_Sender::META_TROUBLE );
		if ( $document ) {
			printf( '<p class="form-field form-field-wide"><strong>Pinkas</strong> <a href="%s" target="_blank" rel="noopener">%s</a></p>', esc_url( $document['url'] ), esc_html( $document['number'] ) );
		}
		$credits = Pinkas_Sender::credits_of( $order );
		if ( $credits ) {
			/* translators: numbers of credits. */
			printf( '<p class="form-field form-field-wide">%s</p>', esc_html( sprintf( __( 'Credits: %s', 'pinkas-for-woocommerce' ), implode( ', ', $credits ) ) ) );
		}
		if ( '' !== $trouble ) {
			$settings = Pinkas_Settings::all();
			printf(
				'<p class="form-field form-field-wide"><strong>Pinkas</strong> <a href="%s" target="_blank" rel="noopener">%s</a></p>',
				esc_url( $settings['url'] . '/invoice/shops/' . $settings['shop'] ),
				esc_html( $trouble )
			);
		}
	}

	public static function buyer( $order ) {
		$document = self::of( $order );
		if ( $document ) {
			/* translators: number of a document. */
			printf( '<p><a href="%s" target="_blank" rel="noopener">%s</a></p>', esc_url( $document['url'] ), esc_html( sprintf( __( 'Your document %s', 'pinkas-for-woocommerce' ), $document['number'] ) ) );
		}
	}

	public static function mail( $order, $sent_to_admin, $plain_text ) {
		if ( 'yes' !== Pinkas_Settings::all()['mail'] ) {
			return;
		}
		// The order that the mail was begun with knows nothing of what was kept since.
		$document = self::of( $order );
		$fresh    = $document ? null : wc_get_order( $order->get_id() );
		$document = $fresh ? self::of( $fresh ) : $document;
		if ( ! $document ) {
			return;
		}
		/* translators: number of a document. */
		$words = sprintf( __( 'Your document %s', 'pinkas-for-woocommerce' ), $document['number'] );
		if ( $plain_text ) {
			echo "\n" . esc_html( $words ) . ': ' . esc_url_raw( $document['url'] ) . "\n";
		} else {
			printf( '<p><a href="%s">%s</a></p>', esc_url( $document['url'] ), esc_html( $words ) );
		}
	}

	public static function actions( $actions ) {
		$actions['pinkas_send'] = __( 'Send to Pinkas', 'pinkas-for-woocommerce' );
		return $actions;
	}

	public static function again( $order ) {
		Pinkas_Sender::send( $order->get_id() );
	}
}
