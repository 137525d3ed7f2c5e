<?php
/**
 * Calls Pinkas with a key of its own.
 *
 * @package Pinkas
 */

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

/** One call: an order is sent, and what came of it is answered. */
final class Pinkas_Client {

	/**
	 * Sends an order. Sending it again does no harm.
	 *
	 * @param array $order   As Pinkas_Order reads it.
	 * @param int   $timeout Seconds after which nobody waits any longer.
	 * @return array|WP_Error The answer; a WP_Error with the words of the refusal, its data saying whether trying again helps.
	 */
	public static function send( $order, $timeout = 20 ) {
		list( $status, $body, $failed ) = self::post( array( 'order' => $order ), $timeout );
		if ( null !== $failed ) {
			return $failed;
		}
		return $status >= 200 && $status < 300 && is_array( $body ) ? $body : self::refusal( $status, $body );
	}

	/**
	 * Whether address, id and key belong together and an order would get its document: Pinkas goes through an order and keeps nothing of it.
	 *
	 * @return true|WP_Error
	 */
	public static function check() {
		list( $status, $body, $failed ) = self::post( new stdClass(), 20, 'dryrun' );
		if ( null !== $failed ) {
			return $failed;
		}
		return 200 === $status ? true : self::refusal( $status, $body );
	}

	private static function refusal( $status, $body ) {
		$words = 'HTTP ' . $status;
		if ( is_array( $body ) ) {
			// The detail also names the permission that is missing.
			$words = isset( $body['detail'] ) ? $body['detail'] : ( isset( $body['title'] ) ? $body['title'] : $words );
		}
		return new WP_Error( 'pinkas_refused', $words, array( 'again' => $status >= 500 || 429 === $status || 409 === $status ) );
	}

	/** Status, body and, where nothing was answered, why. */
	private static function post( $body, $timeout, $call = 'orders' ) {
		$settings = Pinkas_Settings::all();
		if ( '' === $settings['url'] || '' === $settings['key'] || '' === $settings['shop'] ) {
			$words = __( 'The address, the key or the id of the store is missing.', 'pinkas-for-woocommerce' );
			return array( 0, null, new WP_Error( 'pinkas_unset', $words, array( 'again' => false ) ) );
		}
		$answer = wp_remote_post(
			untrailingslashit( $settings['url'] ) . '/api4/invoice/shops/' . rawurlencode( $settings['shop'] ) . '/' . $call,
			array(
				'timeout' => $timeout,
				'headers' => array(
					'content-type'    => 'application/json',
					'accept-language' => substr( get_locale(), 0, 2 ),
					'x-access-token'  => $settings['key'],
					'user-agent'      => 'pinkas-for-woocommerce/' . PINKAS_WC_VERSION,
				),
				'body'    => wp_json_encode( $body ),
			)
		);
		if ( is_wp_error( $answer ) ) {
			return array( 0, null, new WP_Error( 'pinkas_away', $answer->get_error_message(), array( 'again' => true ) ) );
		}
		return array( (int) wp_remote_retrieve_response_code( $answer ), json_decode( wp_remote_retrieve_body( $answer ), true ), null );
	}
}
