<?php
/**
 * Plugin Name: The stand
 * Description: What a shop on trial has in place of the outside world: a gateway that pays at once, and a folder in place of a mail server.
 */

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

add_filter(
	'pre_wp_mail',
	static function ( $none, $mail ) {
		file_put_contents( STAND_MAILS, wp_json_encode( array( 'to' => $mail['to'], 'subject' => $mail['subject'], 'text' => $mail['message'] ) ) . "\n", FILE_APPEND );
		return true;
	},
	10,
	2
);

// Plug-ins that were written for another product call its address: what they say there goes where the test says.
add_filter(
	'pre_http_request',
	static function ( $none, $how, $url ) {
		$instead = (string) get_option( 'stand_instead' );
		if ( '' === $instead || ! preg_match( '#^https://[^/]+(/api/v1(\.\d)?/.*)$#', $url, $path ) ) {
			return $none;
		}
		return wp_remote_request( $instead . $path[1], array( 'timeout' => 30 ) + $how );
	},
	10,
	3
);

// The setup wizard would take the place of every page of a new shop.
add_filter( 'woocommerce_enable_setup_wizard', '__return_false' );
add_filter( 'woocommerce_prevent_automatic_wizard_redirect', '__return_true' );

add_action(
	'plugins_loaded',
	static function () {
		if ( ! class_exists( 'WC_Payment_Gateway' ) ) {
			return;
		}

		/** Takes whatever it is given, as a card would. */
		final class Stand_Gateway extends WC_Payment_Gateway {
			public function __construct() {
				$this->id           = 'stand_card';
				$this->title        = 'Card';
				$this->method_title = 'Card';
				$this->supports     = array( 'products', 'refunds' );
				$this->enabled      = 'yes';
			}
			public function process_payment( $order_id ) {
				$order = wc_get_order( $order_id );
				$order->payment_complete( 'T-' . $order_id );
				WC()->cart->empty_cart();
				return array( 'result' => 'success', 'redirect' => $this->get_return_url( $order ) );
			}
			public function process_refund( $order_id, $amount = null, $reason = '' ) {
				return true;
			}
		}
		add_filter(
			'woocommerce_payment_gateways',
			static function ( $gateways ) {
				$gateways[] = 'Stand_Gateway';
				return $gateways;
			}
		);
	}
);
