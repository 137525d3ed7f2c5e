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
	 * @param array $order As Pinkas_Order reads it.
	 * @return array|WP_Error The answer; a WP_Error with the words of the refusal, its data saying whether trying again helps.
	 */
	public static function send( $order ) {
		$settings = Pinkas_Settings::all();
		if ( '' === $settings['url'] || '' === $settings['key'] || '' === $settings['shop'] ) {
			return new WP_Error( 'pinkas_unset', 'The address, the key or the id of the store is missing.', array( 'again' => false ) );
		}
		$answer = wp_remote_post(
			untrailingslashit( $settings['url'] ) . '/api4/invoice/shops/' . rawurlencode( $settings['shop'] ) . '/orders',
			array(
				'timeout' => 20,
				'headers' => array(
					'content-type'   => 'application/json',
					'x-access-token' => $settings['key'],
					'user-agent'     => 'pinkas-for-woocommerce/' . PINKAS_WC_VERSION,
				),
				'body'    => wp_json_encode( array( 'order' => $order ) ),
			)
		);
		if ( is_wp_error( $answer ) ) {
			return new WP_Error( 'pinkas_away', $answer->get_error_message(), array( 'again' => true ) );
		}
		$status = (int) wp_remote_retrieve_response_code( $answer );
		$body   = json_decode( wp_remote_retrieve_body( $answer ), true );
		if ( 200 === $status && is_array( $body ) ) {
			return $body;
		}
		$words = is_array( $body ) && isset( $body['title'] ) ? $body['title'] : 'HTTP ' . $status;
		return new WP_Error( 'pinkas_refused', $words, array( 'again' => $status >= 500 || 429 === $status || 409 === $status ) );
	}
}
